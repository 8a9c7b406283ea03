"""Pairing of players, the matchmaking queue, matches and invitations."""
