-- The log in partitions by month (decision 32). A game's id begins with the time of its creation, so that a partition has the
-- whole logs of the games of its months.

-- The smallest id that a game created at this time can have (UUID version 7: 48 bits of milliseconds first).
CREATE FUNCTION games_first_id(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;


-- A new table for a part of the log, protected as the log is. The service has no rights on it: it uses the whole log.
CREATE FUNCTION games_partition_table(name text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE games_event INCLUDING DEFAULTS)', name);
    EXECUTE format('CREATE TRIGGER games_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION games_event_refuse()', name);
END $$;


-- Makes the partitions of this month and of some months after it; returns those that were missing. A month is left out if
-- a partition has it already, or if rows of it are in the default partition: they stay there. New partitions are attached,
-- which stops neither appends nor reads. It runs with the rights of the owner, so that a task of the service can call it.
CREATE FUNCTION games_make_partitions(ahead int) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    first timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    month timestamp;
    name text;
BEGIN
    PERFORM set_config('lock_timeout', '2s', true);
    PERFORM pg_advisory_xact_lock(hashtext('games partitions'));
    FOR month IN SELECT first + make_interval(months => n) FROM generate_series(0, least(ahead, 60)) AS n LOOP
        name := to_char(month, '"games_event_"YYYY"_"MM');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        BEGIN
            PERFORM games_partition_table(name);
            EXECUTE format('ALTER TABLE games_event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
                           games_first_id(month AT TIME ZONE 'UTC'),
                           games_first_id((month + interval '1 month') AT TIME ZONE 'UTC'));
            RETURN NEXT name;
        EXCEPTION WHEN invalid_object_definition OR check_violation THEN NULL;
        END;
    END LOOP;
END $$;

REVOKE ALL ON FUNCTION games_partition_table(text), games_make_partitions(int) FROM PUBLIC;
