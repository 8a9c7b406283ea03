"""What sockets of this process subscribe to: one channel per game, the lobby, and one channel per player."""
