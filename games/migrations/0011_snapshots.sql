-- The folded state moves out of the game's row into a row of its own, which is written every sixteenth version or so: a
-- command writes a third less. `games_append` as before (0010), but what all events of a command have in common
-- comes once for the command.
INSERT INTO games_snapshot (game_id, version, schema, state)
SELECT id, version, state_schema, state FROM games_game;

ALTER TABLE games_snapshot SET (fillfactor = 70);

DROP FUNCTION games_append;


-- Appends a batch of commands, each to a game of its own and each with its own outcome: what was appended is not in
-- the result, what was refused is, with the reason and what its caller needs to go on. Called in autocommit at
-- READ COMMITTED, so that each statement sees what was committed while the one before it waited for a lock.
--
--   ids …     what each command makes of its game, a column each: the game, where it expects it to be (`prevs`: the
--             hashes of 32 bytes, one after the other) and where it takes it, which of the events is its last, when,
--             what the game's row says then, who gave it, whose session it comes with
--   players … the key of each command, whose it is and for what; null when no command has any
--   items …   the events, a column each: of which command it is, what it says (data: one array of all), its hash
--             (32 bytes each, one after the other)
--   sessions  every session named in bearers, once, in order
--   births    the rows of new games with their seeds; null when there are none
--   reseated  seats that take the place of all former seats of a game; null when there are none
--   snapshots folded states that take the place of the games' former ones; null when there are none
--
-- Locks are taken in one order, so that no two batches ever wait for each other: sessions, keys, games, each sorted.
CREATE FUNCTION games_append(
        ids uuid[], expecteds int[], prevs bytea, versions int[], last_events int[], ats timestamptz[], statuses text[],
        deadlines timestamptz[], actives smallint[], phases text[], waitings smallint[], endeds timestamptz[],
        bots_ats timestamptz[], actors uuid[], bearers uuid[],
        players uuid[], item_keys text[], fingerprints bytea[],
        items int[], types text[], vs smallint[], data jsonb, hashes bytea,
        sessions uuid[], births jsonb, reseated jsonb, snapshots jsonb)
    RETURNS TABLE (game uuid, outcome text, receipt jsonb, events_since jsonb)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    held text;
    session uuid;
    claimed uuid[];  -- games whose command has a key that nobody used before
    appended uuid[];
    born uuid[];
BEGIN
    -- A revocation takes these locks exclusively: it waits for appends under way, and an append that comes later waits
    -- here, before it takes the snapshot in which it looks whether its session is revoked. (An assignment, because it
    -- costs a tenth of a statement.)
    FOREACH session IN ARRAY sessions LOOP
        held := pg_advisory_xact_lock_shared(players_session_lock(session));
    END LOOP;

    -- A twin under way in another batch is waited for here; of twins in one batch one wins.
    IF item_keys IS NOT NULL THEN
        WITH claim AS (
            INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
            SELECT player, key, fingerprint, game, expected + 1, version
              FROM unnest(ids, expecteds, versions, players, item_keys, fingerprints)
                       AS item (game, expected, version, player, key, fingerprint)
             WHERE key IS NOT NULL
             ORDER BY player, key
                ON CONFLICT DO NOTHING
            RETURNING game_id
        )
        SELECT array_agg(game_id) INTO claimed FROM claim;
    END IF;

    -- One game alone is locked by its update.
    IF cardinality(ids) > 1 THEN
        PERFORM FROM games_game WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
    END IF;

    WITH moved AS (
        UPDATE games_game
           SET version = item.version, head_hash = substring(hashes FROM last_event * 32 - 31 FOR 32),
               updated_at = item.at, status = item.status, deadline_at = item.deadline_at, active = item.active,
               phase = item.phase, waiting = item.waiting, ended_at = item.ended_at, bots_at = item.bots_at
          FROM unnest(ids, expecteds, versions, last_events, ats, statuses, deadlines, actives, phases, waitings, endeds,
                      bots_ats, bearers, item_keys) WITH ORDINALITY
                   AS item (game, expected, version, last_event, at, status, deadline_at, active, phase, waiting, ended_at,
                            bots_at, session, key, n)
         WHERE id = game AND games_game.version = expected
           AND head_hash = substring(prevs FROM n::int * 32 - 31 FOR 32)
           AND (key IS NULL OR game = ANY (claimed))
           AND (session IS NULL OR (SELECT revoked_at IS NULL FROM players_session WHERE id = session))
        RETURNING id
    )
    SELECT coalesce(array_agg(id), '{}') INTO appended FROM moved;

    IF births IS NOT NULL THEN
        WITH birth AS (
            INSERT INTO games_game
            SELECT game.*
              FROM unnest(ids, bearers, item_keys) AS item (game, session, key)
                   JOIN jsonb_populate_recordset(NULL::games_game, births) AS game ON game.id = item.game
             WHERE NOT EXISTS (SELECT FROM games_game AS other WHERE other.id = game.id)
               AND NOT EXISTS (SELECT FROM games_game AS other WHERE other.code = game.code)
               AND (key IS NULL OR game.id = ANY (claimed))
               AND (session IS NULL OR (SELECT revoked_at IS NULL FROM players_session WHERE id = session))
             ORDER BY game.id
            RETURNING id
        )
        SELECT array_agg(id) INTO born FROM birth;

        INSERT INTO games_seed (game_id, secret, bot_secret)
        SELECT id, secret, bot_secret
          FROM jsonb_to_recordset(births) AS birth (id uuid, secret bytea, bot_secret bytea)
         WHERE id = ANY (born);
        appended := appended || born;
    END IF;

    -- Never ON CONFLICT: a version that is already there must fail loudly.
    INSERT INTO games_event (game_id, version, type, v, at, data, hash, actor, command)
    SELECT ids[item], versions[item] - last_events[item] + n, type, v, ats[item], data -> n::int - 1,
           substring(hashes FROM n::int * 32 - 31 FOR 32), actors[item], item_keys[item]
      FROM unnest(items, types, vs) WITH ORDINALITY AS event (item, type, v, n)
     WHERE ids[item] = ANY (appended);

    IF snapshots IS NOT NULL THEN
        INSERT INTO games_snapshot (game_id, version, schema, state)
        SELECT game, version, schema, state
          FROM jsonb_to_recordset(snapshots) AS item (game uuid, version int, schema smallint, state bytea)
         WHERE game = ANY (appended)
            ON CONFLICT (game_id) DO UPDATE
           SET version = excluded.version, schema = excluded.schema, state = excluded.state;
    END IF;

    IF reseated IS NOT NULL THEN
        DELETE FROM games_seat
         WHERE game_id IN (SELECT game FROM jsonb_to_recordset(reseated) AS item (game uuid) WHERE game = ANY (appended));

        INSERT INTO games_seat (game_id, seat, player, bot)
        SELECT game, seat, player, bot
          FROM jsonb_to_recordset(reseated) AS item (game uuid, seats jsonb),
               jsonb_to_recordset(seats) AS taken (seat smallint, player uuid, bot text)
         WHERE game = ANY (appended);
    END IF;

    IF cardinality(appended) = cardinality(ids) THEN
        RETURN;
    END IF;

    -- What was refused leaves its key unused.
    DELETE FROM games_receipt
     USING unnest(ids, players, item_keys) AS item (game, player, key)
     WHERE games_receipt.player = item.player AND games_receipt.key = item.key AND game_id = game
       AND game = ANY (claimed) AND game <> ALL (appended);

    -- Why it was refused: a look of its own, for the update had its snapshot before it waited and could not see what the
    -- winner of a conflict wrote. Events start one below what the caller lacks, to anchor the chain.
    RETURN QUERY
    SELECT game, outcome,
           CASE WHEN outcome = 'duplicate' THEN receipt END,
           CASE WHEN outcome = 'conflict' THEN (
                    SELECT jsonb_agg(jsonb_build_array(version, type, v, at, data, hash) ORDER BY version)
                      FROM games_log(game, expected))
           END
      FROM (
               SELECT item.game, item.expected,
                      CASE WHEN item.session IS NOT NULL
                                AND (SELECT revoked_at IS NULL FROM players_session WHERE id = session) IS NOT TRUE
                           THEN 'revoked'
                           WHEN receipt.key IS NOT NULL THEN 'duplicate'
                           WHEN tip.id IS NOT NULL THEN 'conflict'
                           WHEN item.expected = 0 THEN 'code_taken'
                           ELSE 'missing'
                      END AS outcome,
                      jsonb_build_array(
                          encode(receipt.fingerprint, 'hex'), receipt.game_id, receipt.first_version,
                          receipt.last_version
                      ) AS receipt
                 FROM unnest(ids, expecteds, bearers, players, item_keys) AS item (game, expected, session, player, key)
                      LEFT JOIN games_receipt AS receipt ON receipt.player = item.player AND receipt.key = item.key
                      LEFT JOIN games_game AS tip ON tip.id = item.game
                WHERE item.game <> ALL (appended)
           ) AS refused;
END $$;
