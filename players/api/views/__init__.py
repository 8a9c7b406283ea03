"""The views of the players' REST API."""
