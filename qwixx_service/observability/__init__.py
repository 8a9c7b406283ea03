"""Health checks, metrics and logging."""
