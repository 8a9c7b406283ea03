#!/bin/sh
# Patroni calls it once, with the address of the new database server: creates the database qwixx and its two roles.
# roles.sql is qwixx_service/embedded/roles.sql.
set -eu
folder=${ROLES_FOLDER:-/etc/patroni}
psql --dbname="$1" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --command="CREATE DATABASE qwixx"
psql --dbname="$1 dbname=qwixx" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --file="$folder/roles.sql"
psql --dbname="$1 dbname=qwixx" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 \
    --set=owner_password="$OWNER_PASSWORD" --set=service_password="$SERVICE_PASSWORD" <<'SQL'
ALTER ROLE qwixx_owner PASSWORD :'owner_password';
ALTER ROLE qwixx_service PASSWORD :'service_password';
GRANT pg_read_all_stats TO qwixx_service; -- /metrics counts the synchronous standbys
SQL
