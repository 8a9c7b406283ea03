"""Mail to players: addresses, texts, signed links and delivery."""
