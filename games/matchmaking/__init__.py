"""Pairing, the queue, matches and invitations."""
