"""Generators of clients and linters as tests of the API documents."""
