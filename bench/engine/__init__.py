"""Measured in the process of the bench or in workers: rules, the log, the engine, deadlines, bots."""
