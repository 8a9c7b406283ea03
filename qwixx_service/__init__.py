"""Wiring only: settings, addresses, the processes. What a dice game is lives in `games`, who plays in `players`."""
