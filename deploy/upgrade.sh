#!/bin/sh
# Upgrades the containers without a refused move: builds, migrates while the old processes play, then replaces the web
# processes one by one. On a second machine: SECOND=1 deploy/upgrade.sh, after the first one.
set -eu
cd "$(dirname "$0")/.."
compose() {
    if [ -n "${SECOND:-}" ]; then
        docker compose --file docker-compose.yml --file deploy/nodes/second.yml "$@"
    else
        docker compose "$@"
    fi
}
compose build
if [ -z "${SECOND:-}" ]; then
    compose run --rm --no-deps migrate
    compose up --detach --no-deps --wait beat
fi
compose up --detach --no-deps --wait worker bots
for container in $(compose ps --quiet web); do
    docker stop "$container" # SIGTERM: accepted calls are answered, sockets resume on another process
    docker rm "$container"
    compose up --detach --no-deps --no-recreate --wait web
done
