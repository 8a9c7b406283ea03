"""The engine of a process: games in memory; decide, append, retry, exactly once."""
