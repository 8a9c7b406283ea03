"""Reads of the log for lists, results, and games that are due."""
