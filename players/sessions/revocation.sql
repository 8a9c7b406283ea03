-- The advisory lock that orders a session's appends (shared) and its revocation (exclusive).
CREATE FUNCTION players_session_lock(session uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    RETURN uuid_hash_extended(session, 0);

-- Revokes sessions and returns those that were not revoked before. It waits for appends of these sessions that are under
-- way; a later append waits for this function and then finds the session revoked. A plain UPDATE would do neither: an
-- append that had already checked the session would commit after the revocation was acknowledged.
CREATE FUNCTION players_session_revoke(sessions uuid[], moment timestamptz) RETURNS SETOF uuid
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(players_session_lock(session))
       FROM (SELECT DISTINCT unnest(sessions) AS session ORDER BY 1) AS in_order;
    RETURN QUERY
    UPDATE players_session SET revoked_at = moment
     WHERE id = ANY (sessions) AND revoked_at IS NULL
    RETURNING id;
END $$;
