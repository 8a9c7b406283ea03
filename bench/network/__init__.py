"""Measured through a web process: HTTP, sockets, the page."""
