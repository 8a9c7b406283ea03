-- Staff search players by the beginning of their names, with Django's `istartswith`.
CREATE INDEX players_player_name_prefix ON players_player (upper(name::text) text_pattern_ops);
