"""Rate limits and lockouts."""
