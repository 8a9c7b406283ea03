"""What the service is compared with: bare views, stock consumers, boardgame.io."""
