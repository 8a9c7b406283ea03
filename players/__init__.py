"""Who plays: players and their sessions. Never imports `games`."""
