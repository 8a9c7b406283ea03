"""Projections of finished games: ratings, statistics and leaderboards."""
