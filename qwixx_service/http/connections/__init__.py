"""Connections of uvicorn, with limits that it has no settings for (decision 19)."""
