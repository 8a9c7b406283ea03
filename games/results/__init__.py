"""Finished games become ratings, statistics and leaderboards."""
