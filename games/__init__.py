"""What is played: rules, the log of every game, and the adapters through which clients reach it."""
