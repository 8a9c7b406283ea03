"""Blocks and mutes between players."""
