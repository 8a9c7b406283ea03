"""Clients of the service, and how they are built."""
