"""Streams: what happens in a game, to a player, and in the lobby."""
