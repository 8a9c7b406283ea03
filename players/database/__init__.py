"""What every package that talks to PostgreSQL shares: ids, timeouts, locks, change notifications, idempotency."""
