#!/bin/sh
# Keeps backups with pgBackRest: one at once if there is none, then one every day at BACKUP_AT, a full one on Sundays.
# Changes between two backups are in the repository, too: the server archives its log as it writes it.
# `backup.sh once` makes the backup of today and ends: for a CronJob.
set -eu
STANZA=${STANZA:-qwixx}
BACKUP_AT=${BACKUP_AT:-03:30} # UTC

back_up() {
    type="diff" # without a full backup before it, pgBackRest makes a full one
    [ "$(date -u +%u)" = 7 ] && type="full"
    pgbackrest --stanza="$STANZA" --type="$type" backup
    pgbackrest --stanza="$STANZA" info
}

seconds_until() {
    wait_s=$(($(date -u --date="$1" +%s) - $(date -u +%s)))
    [ "$wait_s" -gt 0 ] || wait_s=$((wait_s + 86400))
    echo "$wait_s"
}

trap 'exit 0' INT TERM
pgbackrest --stanza="$STANZA" stanza-create
pgbackrest --stanza="$STANZA" check
if [ "${1:-}" = once ]; then
    back_up
    exit
fi
pgbackrest --stanza="$STANZA" info | grep -q 'backup: ' || back_up
while true; do
    sleep "$(seconds_until "$BACKUP_AT")" &
    wait $!
    back_up || echo "The backup has failed; the next one is due at $BACKUP_AT." >&2
done
