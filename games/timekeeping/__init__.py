"""Deadlines, credited outages, the sweeper, and the turns of bots."""
