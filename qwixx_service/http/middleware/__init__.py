"""The ASGI middlewares around the whole service."""
