"""Deadlines, outages, the sweeper, and bots whose turn it is."""
