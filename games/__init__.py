"""What is played: rules, the log of every game, and the doors through which clients reach it."""
