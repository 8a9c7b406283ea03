"""The REST API of games: DRF views, and the hot routes in `play`."""
