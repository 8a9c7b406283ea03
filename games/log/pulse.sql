-- The heartbeat, from its second version on: it beats only where an append could be committed. A full disk or a read-only
-- database lets no row be written on a new page, so the heartbeat fails, and the gap is an outage.

-- One row in a page of its own for each proof (the fill factor allows no second one), so that each row needs a new page as
-- a growing log does. Emptied when it has a thousand pages; nothing reads it.
CREATE TABLE games_proof (at timestamptz NOT NULL, filling text NOT NULL) WITH (fillfactor = 10, autovacuum_enabled = off);

-- Every process of the service calls this every second. The first call after a gap of over 5 s records the outage; the
-- lock on the row makes other callers wait until it is recorded. Only the database's clock counts. Returns for how many
-- seconds deadlines have not been swept, every outage that a running deadline may have seen (the longest clock is 14
-- days), and the time, by which a process knows whether its own clock is right. It runs with the rights of the owner, who may TRUNCATE (decision 21).
CREATE FUNCTION games_beat_v2(sweeps boolean)
    RETURNS TABLE (unswept double precision, outages jsonb, database_clock timestamptz)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before games_pulse;
    now_ timestamptz;
    proved timestamptz;
BEGIN
    SELECT * INTO before FROM games_pulse WHERE id = 1 FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO games_pulse (id, at, swept_at) VALUES (1, clock_timestamp(), 'epoch') ON CONFLICT DO NOTHING;
        SELECT * INTO before FROM games_pulse WHERE id = 1 FOR UPDATE;
    END IF;
    now_ := greatest(before.at, clock_timestamp());
    proved := before.proved_at;

    -- Many processes beat; two proofs a second are enough for all.
    IF now_ - proved > interval '0.5 seconds' THEN
        IF pg_relation_size('games_proof') > 8 * 1024 * 1024 THEN
            BEGIN  -- a backup that reads the table must not hold up the heartbeat
                LOCK TABLE games_proof IN ACCESS EXCLUSIVE MODE NOWAIT;
                TRUNCATE games_proof;
            EXCEPTION WHEN lock_not_available THEN NULL;
            END;
        END IF;
        INSERT INTO games_proof (at, filling) VALUES (now_, repeat('.', 400));
        proved := now_;
    END IF;

    IF now_ - before.at > interval '5 seconds' THEN
        INSERT INTO games_outage (began, ended) VALUES (before.at, now_);
    END IF;
    UPDATE games_pulse
       SET at = now_, proved_at = proved, swept_at = CASE WHEN sweeps THEN now_ ELSE swept_at END
     WHERE id = 1;
    RETURN QUERY
    SELECT extract(epoch FROM now_ - before.swept_at)::double precision,
           (SELECT jsonb_agg(jsonb_build_array(
                       to_char(began AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                       to_char(ended AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY began)
              FROM games_outage
             WHERE ended > now_ - interval '60 days'),
           clock_timestamp();
END $$;

REVOKE ALL ON FUNCTION games_beat_v2(boolean) FROM PUBLIC;
