"""The sockets of this process: registered by session, written to in order, and checked for missed messages."""
