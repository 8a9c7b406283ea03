"""Finished games whose logs have left the database: volumes of compressed logs, their places, their readers."""
