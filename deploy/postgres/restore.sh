#!/bin/sh
# Restores the database as it was at a moment: restore.sh '2026-01-02 03:04:05+00'; without a moment, as late as possible.
# PostgreSQL must be stopped. What its folder holds now is replaced; copy it first if it may still be needed.
# After the next start: `manage.py verify_log`, and `manage.py rebuild_projections` if that says so.
set -eu
STANZA=${STANZA:-qwixx}
if [ -n "${1:-}" ]; then
    set -- --type=time --target="$1" --target-action=promote
fi
exec pgbackrest --stanza="$STANZA" --delta "$@" restore
