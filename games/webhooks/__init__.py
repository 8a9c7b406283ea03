"""Webhooks (Standard Webhooks): messages about the games of an account, signed and sent to its URLs."""
