-- The event log: what protects it, how it is read, and `games_append`, which the processes of the last release call.
-- Migrations load this file through `players.database.sql_files`; `append_v2.sql` has the function that this release calls.

-- A row of games_game is rewritten by every command: free space on its page keeps the new version beside the old one.
ALTER TABLE games_game SET (fillfactor = 70);
ALTER TABLE games_snapshot SET (fillfactor = 70);

CREATE FUNCTION games_event_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games_event is append-only: % refused', TG_OP
        USING ERRCODE = 'restrict_violation', HINT = 'A fact is corrected by a further fact.';
END $$;

-- Per statement, so that a statement that would touch no row is refused, too.
CREATE TRIGGER games_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_event
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_refuse();


-- The events of a game from a version on, with times and hashes in the form that was hashed.
CREATE FUNCTION games_log(game uuid, since int)
    RETURNS TABLE (version int, type varchar, v smallint, at text, data jsonb, hash text)
    LANGUAGE sql STABLE AS $$
    SELECT version, type, v, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), data, encode(hash, 'hex')
      FROM games_event
     WHERE game_id = game AND version >= since
$$;


-- One command and what it changes. Columns follow the order of `games.log.append_record.record`.
CREATE TYPE games_append_event AS (version int, type text, v smallint, data jsonb, hash bytea);
CREATE TYPE games_append_seat AS (seat smallint, player uuid, bot text);
CREATE TYPE games_append_snapshot AS (version int, schema smallint, state bytea);
CREATE TYPE games_append_birth AS (
    ruleset text, sheet text, visibility text, rated boolean, clock jsonb, seats smallint, code text, secret bytea,
    bot_secret bytea);
CREATE TYPE games_append_item AS (
    game uuid,
    expected int, prev bytea,        -- the version and the hash on which the command was decided; version 0: a new game
    version int, head_hash bytea, at timestamptz,
    status text, deadline_at timestamptz, active smallint, phase text, waiting smallint, ended_at timestamptz,
    bots_at timestamptz,             -- the columns of the game's row after the command
    actor uuid, session uuid,        -- the player who gave the command, and the session it came with
    player uuid, key text, fingerprint bytea,  -- its receipt; NULL: the command has no key
    events games_append_event[],
    seats games_append_seat[],       -- all seats after the command; NULL: unchanged
    snapshot games_append_snapshot,  -- NULL: the former snapshot is kept
    birth games_append_birth);       -- the fixed columns of a new game


-- Appends a batch of commands, at most one per game, each with its own outcome. An appended command has no row in the
-- result; a refused one has a row with the reason and what its caller needs to go on. Called in autocommit at READ
-- COMMITTED, so that each statement sees what was committed while the statement before it waited for a lock.
--
-- `sessions` holds every session of the items once, sorted. Locks are taken in one order (sessions, keys, games, each
-- sorted), so that no two batches wait for each other.
--
-- It runs with the rights of its owner: the role of the service may call it, and may not write to the tables (decision 21).
CREATE FUNCTION games_append(items games_append_item[], sessions uuid[])
    RETURNS TABLE (
        game uuid, outcome text,
        fingerprint bytea, receipt_game uuid, first_version int, last_version int,  -- of a duplicate
        events_since jsonb)                                                         -- of a conflict
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    held text;
    session uuid;
    games uuid[];
    has_keys boolean;
    has_births boolean;
    has_seats boolean;
    has_snapshots boolean;
    claimed uuid[];  -- games whose command has a key that was not used before
    appended uuid[];
    born uuid[];
BEGIN
    -- A revocation takes these locks exclusively: it waits for appends under way, and a later append waits here, before
    -- it takes the snapshot in which it sees whether its session is revoked. (An assignment costs a tenth of PERFORM.)
    FOREACH session IN ARRAY sessions LOOP
        held := pg_advisory_xact_lock_shared(players_session_lock(session));
    END LOOP;

    SELECT array_agg(game), bool_or(key IS NOT NULL), bool_or(expected = 0), bool_or(seats IS NOT NULL),
           bool_or((snapshot).version IS NOT NULL)
      INTO games, has_keys, has_births, has_seats, has_snapshots
      FROM unnest(items);

    -- The same key in a batch under way is waited for here; of equal keys in one batch one is claimed.
    IF has_keys THEN
        WITH claim AS (
            INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
            SELECT player, key, fingerprint, game, expected + 1, version
              FROM unnest(items)
             WHERE key IS NOT NULL
             ORDER BY player, key
                ON CONFLICT DO NOTHING
            RETURNING game_id
        )
        SELECT array_agg(game_id) INTO claimed FROM claim;
    END IF;

    -- A single game is locked by its update.
    IF cardinality(games) > 1 THEN
        PERFORM FROM games_game WHERE id = ANY (games) ORDER BY id FOR UPDATE;
    END IF;

    WITH moved AS (
        UPDATE games_game
           SET version = item.version, head_hash = item.head_hash, updated_at = item.at, status = item.status,
               deadline_at = item.deadline_at, active = item.active, phase = item.phase, waiting = item.waiting,
               ended_at = item.ended_at, bots_at = item.bots_at
          FROM unnest(items) AS item
         WHERE id = item.game AND games_game.version = item.expected AND games_game.head_hash = item.prev
           AND (key IS NULL OR item.game = ANY (claimed))
           AND (session IS NULL OR (SELECT revoked_at IS NULL FROM players_session WHERE id = session))
        RETURNING id
    )
    SELECT coalesce(array_agg(id), '{}') INTO appended FROM moved;

    IF has_births THEN
        WITH birth AS (
            INSERT INTO games_game (
                   id, ruleset, sheet, visibility, rated, clock, seats, code, version, head_hash, created_at, updated_at,
                   status, deadline_at, active, phase, waiting, ended_at, bots_at)
            SELECT game, (birth).ruleset, (birth).sheet, (birth).visibility, (birth).rated, (birth).clock,
                   (birth).seats, (birth).code, version, head_hash, at, at, status, deadline_at, active, phase, waiting,
                   ended_at, bots_at
              FROM unnest(items)
             WHERE expected = 0
               AND NOT EXISTS (SELECT FROM games_game AS other WHERE other.id = game)
               AND NOT EXISTS (SELECT FROM games_game AS other WHERE other.code = (birth).code)
               AND (key IS NULL OR game = ANY (claimed))
               AND (session IS NULL OR (SELECT revoked_at IS NULL FROM players_session WHERE id = session))
             ORDER BY game
            RETURNING id
        )
        SELECT array_agg(id) INTO born FROM birth;

        INSERT INTO games_seed (game_id, secret, bot_secret)
        SELECT game, (birth).secret, (birth).bot_secret FROM unnest(items) WHERE game = ANY (born);
        appended := appended || born;
    END IF;

    -- Never ON CONFLICT: a version that is already there must raise an error.
    INSERT INTO games_event (game_id, version, type, v, at, data, hash, actor, command)
    SELECT item.game, event.version, event.type, event.v, item.at, event.data, event.hash, item.actor, item.key
      FROM unnest(items) AS item, unnest(item.events) AS event
     WHERE item.game = ANY (appended);

    IF has_snapshots THEN
        INSERT INTO games_snapshot (game_id, version, schema, state)
        SELECT game, (snapshot).version, (snapshot).schema, (snapshot).state
          FROM unnest(items)
         WHERE game = ANY (appended) AND (snapshot).version IS NOT NULL
            ON CONFLICT (game_id) DO UPDATE
           SET version = excluded.version, schema = excluded.schema, state = excluded.state;
    END IF;

    IF has_seats THEN
        DELETE FROM games_seat
         WHERE game_id IN (SELECT game FROM unnest(items) WHERE seats IS NOT NULL AND game = ANY (appended));

        INSERT INTO games_seat (game_id, seat, player, bot)
        SELECT item.game, taken.seat, taken.player, taken.bot
          FROM unnest(items) AS item, unnest(item.seats) AS taken
         WHERE item.game = ANY (appended);
    END IF;

    IF cardinality(appended) = cardinality(games) THEN
        RETURN;
    END IF;

    -- The key of a refused command stays unused.
    DELETE FROM games_receipt
     USING unnest(items) AS item
     WHERE games_receipt.player = item.player AND games_receipt.key = item.key AND game_id = item.game
       AND item.game = ANY (claimed) AND item.game <> ALL (appended);

    -- Why a command was refused is read in a statement of its own: the snapshot of the update was taken before it
    -- waited, so it cannot see what the winner of a conflict wrote. Events start one version below what the caller
    -- lacks, to anchor the chain.
    RETURN QUERY
    SELECT refused.game, refused.outcome,
           CASE WHEN refused.outcome = 'duplicate' THEN receipt.fingerprint END,
           CASE WHEN refused.outcome = 'duplicate' THEN receipt.game_id END,
           CASE WHEN refused.outcome = 'duplicate' THEN receipt.first_version END,
           CASE WHEN refused.outcome = 'duplicate' THEN receipt.last_version END,
           CASE WHEN refused.outcome = 'conflict' THEN (
                    SELECT jsonb_agg(jsonb_build_array(version, type, v, at, data, hash) ORDER BY version)
                      FROM games_log(refused.game, refused.expected))
           END
      FROM (
               SELECT item.game, item.expected, item.player, item.key,
                      CASE WHEN item.session IS NOT NULL
                                AND (SELECT revoked_at IS NULL FROM players_session WHERE id = item.session) IS NOT TRUE
                           THEN 'revoked'
                           WHEN EXISTS (SELECT FROM games_receipt AS used
                                         WHERE used.player = item.player AND used.key = item.key)
                           THEN 'duplicate'
                           WHEN EXISTS (SELECT FROM games_game WHERE id = item.game) THEN 'conflict'
                           WHEN item.expected = 0 THEN 'code_taken'
                           ELSE 'missing'
                      END AS outcome
                 FROM unnest(items) AS item
                WHERE item.game <> ALL (appended)
           ) AS refused
           LEFT JOIN games_receipt AS receipt ON receipt.player = refused.player AND receipt.key = refused.key;
END $$;

REVOKE ALL ON FUNCTION games_append(games_append_item[], uuid[]) FROM PUBLIC;
