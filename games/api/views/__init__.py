"""DRF views of the REST API of games."""
