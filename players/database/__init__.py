"""What all packages that use PostgreSQL share: ids, timeouts, locks, change notifications, idempotency keys."""
