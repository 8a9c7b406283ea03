"""The door of streams: WebSockets of a game, the lobby and one's own affairs (contract, section 7)."""
