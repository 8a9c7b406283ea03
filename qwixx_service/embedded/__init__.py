"""A PostgreSQL and a Valkey of our own, and the supervisor behind `manage.py up`."""
