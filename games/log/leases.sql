-- Claims of games that are due, from their second version on: a lease that expires, written to the row of the game's seed,
-- which no append touches. A sweeper that is frozen holds a game no longer than its lease, and one that works longer
-- than its lease costs only the work of a second one: a command that is given twice is stored once.

CREATE FUNCTION games_claim_deadlines_v2(until timestamptz, at_most int)
    RETURNS TABLE (game uuid, deadline timestamptz, not_before timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    -- A lease that ends before `until` is taken over in advance, to be used when it has ended.
    RETURN QUERY
    WITH due AS (
        SELECT id, deadline_at, deadline_claimed_until AS former
          FROM games_game JOIN games_seed ON game_id = id
         WHERE deadline_at <= until AND (deadline_claimed_until IS NULL OR deadline_claimed_until <= until)
         ORDER BY deadline_at
         LIMIT at_most
           FOR UPDATE OF games_seed SKIP LOCKED
    )
    UPDATE games_seed
       SET deadline_claimed_until = greatest(deadline_at, former, clock_timestamp()) + interval '0.75 seconds'
      FROM due
     WHERE game_id = id
    RETURNING id, deadline_at, coalesce(former, 'epoch');
END $$;

CREATE FUNCTION games_claim_bots_v2(since timestamptz, at_most int)
    RETURNS TABLE (game uuid)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH due AS (
        SELECT id
          FROM games_game JOIN games_seed ON game_id = id
         WHERE bots_at <= since AND (bots_claimed_until IS NULL OR bots_claimed_until <= clock_timestamp())
         ORDER BY bots_at
         LIMIT at_most
           FOR UPDATE OF games_seed SKIP LOCKED
    )
    UPDATE games_seed SET bots_claimed_until = clock_timestamp() + interval '2 seconds' FROM due WHERE game_id = id
    RETURNING id;
END $$;

REVOKE ALL ON FUNCTION games_claim_deadlines_v2(timestamptz, int), games_claim_bots_v2(timestamptz, int) FROM PUBLIC;
