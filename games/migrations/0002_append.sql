-- A tip row is rewritten by every command: room on its page lets the new version stay beside the old one. The folded
-- state is compressed before it comes here; trying again would only cost time.
ALTER TABLE games_game SET (fillfactor = 70);
ALTER TABLE games_game ALTER COLUMN state SET STORAGE EXTERNAL;

CREATE FUNCTION games_event_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games_event is append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation', HINT = 'A fact is corrected by a further fact.';
END $$;

-- Per statement, so that even one that would touch no row is refused.
CREATE TRIGGER games_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_refuse();


-- A game's events from a version on, as the chain has them: times and hashes in the form that was hashed.
CREATE FUNCTION games_log(game uuid, since int)
    RETURNS TABLE (version int, type varchar, v smallint, at text, data jsonb, hash text)
    LANGUAGE sql STABLE AS $$
    SELECT version, type, v, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), data, encode(hash, 'hex')
      FROM games_event
     WHERE game_id = game AND version >= since
$$;


-- Appends a batch of commands, each to a game of its own and each with its own outcome: what was appended is not in
-- the result, what was refused is, with the reason and what its caller needs to go on. Called in autocommit at
-- READ COMMITTED, so that each statement sees what was committed while the one before it waited for a lock.
--
--   items     where each command expects its game to be and where it takes it
--   events    the facts; as in births and reseated, n is the position of their command in items, from 1
--   sessions  every session named in items
--   births    the rows of new games with their seeds; null when there are none
--   reseated  seats that take the place of all former seats of a game; null when there are none
--
-- Plans are kept for as long as a connection lives: one made while the tables were small must not read them whole when
-- they have grown.
CREATE FUNCTION games_append(items jsonb, events jsonb, sessions uuid[], births jsonb, reseated jsonb)
    RETURNS TABLE (n bigint, outcome text, receipt jsonb, events_since jsonb)
    LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    appended bigint[];
BEGIN
    -- A revocation takes these locks exclusively: it waits for appends under way, and an append that comes later waits
    -- here, before it takes the snapshot in which it looks whether its session is revoked.
    IF sessions <> '{}' THEN
        PERFORM pg_advisory_xact_lock_shared(players_session_lock(session))
           FROM (SELECT unnest(sessions) AS session ORDER BY 1) AS in_order;
    END IF;

    WITH item AS MATERIALIZED (
        SELECT *
          FROM ROWS FROM (
                   jsonb_to_recordset(items) AS (
                       game uuid, expected int, prev bytea, version int, hash bytea, at timestamptz, status text,
                       state bytea, state_schema smallint, deadline_at timestamptz, active smallint, phase text,
                       waiting smallint, ended_at timestamptz, code text, actor uuid, session uuid, player uuid,
                       key text, fingerprint bytea)
               ) WITH ORDINALITY AS item (
                       game, expected, prev, version, hash, at, status,
                       state, state_schema, deadline_at, active, phase,
                       waiting, ended_at, code, actor, session, player,
                       key, fingerprint, n)
    ), tip AS MATERIALIZED (
        -- In the order of their ids, so that no two batches ever wait for each other.
        SELECT id, version, head_hash
          FROM games_game
         WHERE id = ANY (ARRAY (SELECT game FROM item))
         ORDER BY id
           FOR UPDATE
    ), candidate AS MATERIALIZED (
        SELECT item.*
          FROM item LEFT JOIN tip ON tip.id = item.game
         WHERE CASE WHEN item.code IS NULL
                    THEN tip.version = item.expected AND tip.head_hash = item.prev
                    ELSE tip.id IS NULL AND NOT EXISTS (SELECT FROM games_game AS other WHERE other.code = item.code)
               END
           AND (item.session IS NULL
                OR (SELECT revoked_at IS NULL FROM players_session WHERE id = item.session))
    ), receipt AS (
        -- A twin under way in another batch is waited for here; of twins in one batch the first wins.
        INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
        SELECT player, key, fingerprint, game, expected + 1, version
          FROM candidate
         WHERE key IS NOT NULL
         ORDER BY player, key, n
            ON CONFLICT DO NOTHING
        RETURNING player, key, game_id
    ), winner AS MATERIALIZED (
        SELECT *
          FROM candidate
         WHERE key IS NULL OR (player, key, game) IN (SELECT player, key, game_id FROM receipt)
    ), moved AS (
        UPDATE games_game
           SET version = winner.version, head_hash = winner.hash, updated_at = winner.at, status = winner.status,
               state = winner.state, state_schema = winner.state_schema, deadline_at = winner.deadline_at,
               active = winner.active, phase = winner.phase, waiting = winner.waiting, ended_at = winner.ended_at
          FROM winner
         WHERE games_game.id = winner.game
    ), logged AS (
        -- Never ON CONFLICT: a version that is already there must fail loudly.
        INSERT INTO games_event (game_id, version, type, v, at, data, hash, actor, command)
        SELECT winner.game, event.version, event.type, event.v, event.at, event.data, event.hash, winner.actor, winner.key
          FROM jsonb_to_recordset(events) AS event (
                   n bigint, version int, type text, v smallint, at timestamptz, data jsonb, hash bytea)
          JOIN winner USING (n)
    )
    SELECT array_agg(n) INTO appended FROM winner;

    IF births IS NOT NULL THEN
        INSERT INTO games_game
        SELECT game.*
          FROM jsonb_array_elements(births) AS birth, jsonb_populate_record(NULL::games_game, birth) AS game
         WHERE (birth ->> 'n')::bigint = ANY (appended)
         ORDER BY game.id;

        INSERT INTO games_seed (game_id, secret, bot_secret)
        SELECT id, secret, bot_secret
          FROM jsonb_to_recordset(births) AS birth (n bigint, id uuid, secret bytea, bot_secret bytea)
         WHERE n = ANY (appended);
    END IF;

    IF reseated IS NOT NULL THEN
        DELETE FROM games_seat
         WHERE game_id IN (
                   SELECT game
                     FROM jsonb_to_recordset(reseated) AS item (n bigint, game uuid)
                    WHERE n = ANY (appended));

        INSERT INTO games_seat (game_id, seat, player, bot)
        SELECT game, seat, player, bot
          FROM jsonb_to_recordset(reseated) AS item (n bigint, game uuid, seats jsonb),
               jsonb_to_recordset(seats) AS taken (seat smallint, player uuid, bot text)
         WHERE n = ANY (appended);
    END IF;

    IF cardinality(appended) = jsonb_array_length(items) THEN
        RETURN;
    END IF;

    -- Why the others were refused. A statement of its own: the one above had its snapshot before it waited, so it could
    -- not see what the winner of a conflict wrote. Events start one below what the caller lacks, to anchor the chain.
    RETURN QUERY
    WITH item AS (
        SELECT *
          FROM ROWS FROM (
                   jsonb_to_recordset(items) AS (
                       game uuid, expected int, code text, session uuid, player uuid, key text)
               ) WITH ORDINALITY AS item (game, expected, code, session, player, key, n)
         WHERE n <> ALL (coalesce(appended, '{}'))
    ), refused AS (
        SELECT item.n, item.game, item.expected,
               CASE WHEN item.session IS NOT NULL
                         AND (SELECT revoked_at IS NULL FROM players_session WHERE id = item.session) IS NOT TRUE
                    THEN 'revoked'
                    WHEN receipt.key IS NOT NULL THEN 'duplicate'
                    WHEN game.id IS NOT NULL THEN 'conflict'
                    WHEN item.code IS NOT NULL THEN 'code_taken'
                    ELSE 'missing'
               END AS outcome,
               jsonb_build_array(
                   encode(receipt.fingerprint, 'hex'), receipt.game_id, receipt.first_version, receipt.last_version
               ) AS receipt
          FROM item
               LEFT JOIN games_receipt AS receipt ON receipt.player = item.player AND receipt.key = item.key
               LEFT JOIN games_game AS game ON game.id = item.game
    )
    SELECT n, outcome,
           CASE WHEN outcome = 'duplicate' THEN receipt END,
           CASE WHEN outcome = 'conflict' THEN (
                    SELECT jsonb_agg(jsonb_build_array(version, type, v, at, data, hash) ORDER BY version)
                      FROM games_log(game, expected))
           END
      FROM refused;
END $$;
