"""The event log in PostgreSQL: tables, the append function, reads, group commit, snapshots and audit."""
