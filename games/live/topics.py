"""Topics of the bridge: what concerns one game or one player goes to one of many channels, by a hash of the id.

A process subscribes to the topics of games and players that have sockets here, so that others cost it nothing.
"""

import zlib

SHARDS = 1024  # of games, and of players; the same in all processes
PROCESSES = "processes"  # every process that listens is subscribed: by it the others learn that there is one
LOBBY = "lobby"


def of_game(game_id: str) -> str:
    return f"game:{zlib.crc32(game_id.encode()) % SHARDS}"


def of_player(player_id: str) -> str:
    return f"player:{zlib.crc32(player_id.encode()) % SHARDS}"
