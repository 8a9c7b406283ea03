-- Every process of the service calls this every second as its heartbeat. The first call after a gap of over 5 s
-- records the outage; the lock on the row makes other callers wait until it is recorded. Only the database's clock counts.
-- Returns for how many seconds deadlines have not been swept, and every outage that a running deadline may have seen:
-- the longest clock is 14 days.
CREATE FUNCTION games_beat(sweeps boolean)
    RETURNS TABLE (unswept double precision, outages jsonb)
    LANGUAGE plpgsql AS $$
DECLARE
    before games_pulse;
    now_ timestamptz;
BEGIN
    SELECT * INTO before FROM games_pulse WHERE id = 1 FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO games_pulse (id, at, swept_at) VALUES (1, clock_timestamp(), 'epoch') ON CONFLICT DO NOTHING;
        SELECT * INTO before FROM games_pulse WHERE id = 1 FOR UPDATE;
    END IF;
    now_ := greatest(before.at, clock_timestamp());
    IF now_ - before.at > interval '5 seconds' THEN
        INSERT INTO games_outage (began, ended) VALUES (before.at, now_);
    END IF;
    UPDATE games_pulse SET at = now_, swept_at = CASE WHEN sweeps THEN now_ ELSE swept_at END WHERE id = 1;
    RETURN QUERY
    SELECT extract(epoch FROM now_ - before.swept_at)::double precision,
           (SELECT jsonb_agg(jsonb_build_array(
                       to_char(began AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                       to_char(ended AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY began)
              FROM games_outage
             WHERE ended > now_ - interval '60 days');
END $$;
