"""JSON of games: the strict reader of requests, and the schemas of responses."""
