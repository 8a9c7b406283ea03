-- What the role of the service may do to the log: read it, and call the functions that write to it. It cannot read seeds.
REVOKE ALL ON games_seed FROM qwixx_service;
REVOKE ALL ON games_proof FROM qwixx_service;
REVOKE INSERT, UPDATE, DELETE ON games_archivedgame, games_volume FROM qwixx_service;
REVOKE INSERT, UPDATE, DELETE ON games_event, games_receipt, games_game, games_seat, games_snapshot FROM qwixx_service;

GRANT EXECUTE ON FUNCTION
    games_append(games_append_item[], uuid[]), games_append_v2(games_append_item_v2[], uuid[]), games_seeds(uuid[]), games_claim_deadlines(timestamptz, int),
    games_claim_bots(timestamptz, int), games_note(uuid, text, bytea, uuid, int), games_key_take(uuid, text, bytea),
    games_keys_free(uuid[], text[]), games_keys_erase(uuid), games_beat_v2(boolean),
    games_claim_deadlines_v2(timestamptz, int), games_claim_bots_v2(timestamptz, int), games_make_partitions(int)
    TO qwixx_service;
