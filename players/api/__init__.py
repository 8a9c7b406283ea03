"""The REST API of players: authentication, throttling, serializers and views."""
