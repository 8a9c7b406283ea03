"""Prometheus metrics of games."""
