-- What the role of the service does to tables that it may not write to, or may not read (decision 21). Each function runs
-- with the rights of its owner, and its search path is fixed, so that no caller can put tables of their own in the way.
-- `grants.sql` says who may call them. PL/pgSQL keeps their plans for as long as a connection lasts.

-- A database of an earlier version has the append without these rights.
ALTER FUNCTION games_append(games_append_item[], uuid[]) SECURITY DEFINER SET search_path = public, pg_temp;


-- The seeds of some games, for the engine that loads them.
CREATE OR REPLACE FUNCTION games_seeds(games uuid[])
    RETURNS TABLE (game_id uuid, secret bytea, bot_secret bytea)
    LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT game_id, secret, bot_secret FROM games_seed WHERE game_id = ANY (games);
END $$;


-- A game is claimed by a lock on the row of its seed, which no append touches.
CREATE OR REPLACE FUNCTION games_claim_deadlines(until timestamptz, at_most int)
    RETURNS TABLE (game uuid, deadline timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT id, deadline_at
      FROM games_game JOIN games_seed ON game_id = id
     WHERE deadline_at <= until
     ORDER BY deadline_at
     LIMIT at_most
       FOR UPDATE OF games_seed SKIP LOCKED;
END $$;

CREATE OR REPLACE FUNCTION games_claim_bots(since timestamptz, at_most int)
    RETURNS TABLE (game uuid)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT id
      FROM games_game JOIN games_seed ON game_id = id
     WHERE bots_at <= since
     ORDER BY bots_at
     LIMIT at_most
       FOR UPDATE OF games_seed SKIP LOCKED;
END $$;


-- The receipt of a command that appends nothing. False: the game has moved on, or the key was used.
CREATE OR REPLACE FUNCTION games_note(player uuid, key text, fingerprint bytea, game uuid, expected int)
    RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
    SELECT games_note.player, games_note.key, games_note.fingerprint, id, version + 1, version
      FROM games_game
     WHERE id = games_note.game AND version = expected
        ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;


-- A key that a player uses outside games has a receipt of the game with the nil id. False: a game has used the key.
CREATE OR REPLACE FUNCTION games_key_take(player uuid, key text, fingerprint bytea)
    RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    nowhere CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
    VALUES (games_key_take.player, games_key_take.key, games_key_take.fingerprint, nowhere, 0, 0)
        ON CONFLICT DO NOTHING;
    RETURN EXISTS (SELECT FROM games_receipt AS used
                    WHERE used.player = games_key_take.player AND used.key = games_key_take.key AND game_id = nowhere);
END $$;

-- Deletes expired keys of requests outside games, and never the receipt of an append.
CREATE OR REPLACE FUNCTION games_keys_free(players uuid[], keys text[])
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM games_receipt
     USING unnest(players, keys) AS expired (player, key)
     WHERE games_receipt.player = expired.player AND games_receipt.key = expired.key
       AND game_id = '00000000-0000-0000-0000-000000000000';
END $$;

-- Deletes the receipts of an erased player, and none of a player who can still send commands.
CREATE OR REPLACE FUNCTION games_keys_erase(erased uuid)
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM games_receipt
     WHERE player = erased
       AND NOT EXISTS (SELECT FROM players_session WHERE player_id = erased AND revoked_at IS NULL);
END $$;


REVOKE ALL ON FUNCTION
    games_append(games_append_item[], uuid[]), games_seeds(uuid[]), games_claim_deadlines(timestamptz, int),
    games_claim_bots(timestamptz, int), games_note(uuid, text, bytea, uuid, int), games_key_take(uuid, text, bytea),
    games_keys_free(uuid[], text[]), games_keys_erase(uuid)
    FROM PUBLIC;
