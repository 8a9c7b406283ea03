#!/bin/sh
# Creates the roles qwixx_owner and qwixx_service with their passwords, and hands the database to the owner. The image of
# PostgreSQL runs it in a new volume; in an older one: docker compose exec postgres sh /docker-entrypoint-initdb.d/roles.sh
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 \
    --set=owner_password="$OWNER_PASSWORD" --set=service_password="$SERVICE_PASSWORD" <<'SQL'
\i /roles.sql
ALTER ROLE qwixx_owner PASSWORD :'owner_password';
ALTER ROLE qwixx_service PASSWORD :'service_password';
SQL
