"""Starts a PostgreSQL and a Valkey from local binaries, and supervises the processes of `manage.py up`."""
