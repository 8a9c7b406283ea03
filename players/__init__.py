"""Players: accounts, sessions, ratings, moderation. Never imports `games`."""
