"""WebSocket adapter: the streams of a game, the lobby and one player's notifications (contract, section 7)."""
