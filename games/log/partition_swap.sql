-- Puts a partitioned table in the place of the log; the former table becomes its first partition, or goes if it is empty.
-- All of it is one change of the catalogue, which reads no rows.
DO $$
DECLARE
    bound text;
BEGIN
    LOCK TABLE games_event IN ACCESS EXCLUSIVE MODE;
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''') INTO STRICT bound
      FROM pg_constraint WHERE conrelid = 'games_event'::regclass AND conname = 'games_event_bound';

    ALTER TABLE games_event RENAME TO games_event_first;
    ALTER INDEX games_event_pkey RENAME TO games_event_first_pkey;
    ALTER INDEX games_event_time_outs RENAME TO games_event_first_time_outs;
    ALTER INDEX games_event_ends RENAME TO games_event_first_ends;

    CREATE TABLE games_event (LIKE games_event_first INCLUDING DEFAULTS) PARTITION BY RANGE (game_id);
    ALTER TABLE games_event ADD CONSTRAINT games_event_pkey PRIMARY KEY (game_id, version);
    CREATE INDEX games_event_time_outs ON games_event (at) WHERE type = 'time_ran_out';
    CREATE INDEX games_event_ends ON games_event (game_id) WHERE type = 'game_ended';
    CREATE TRIGGER games_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_event
        FOR EACH STATEMENT EXECUTE FUNCTION games_event_refuse();

    IF EXISTS (SELECT FROM games_event_first) THEN
        EXECUTE format('ALTER TABLE games_event ATTACH PARTITION games_event_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
        ALTER TABLE games_event_first DROP CONSTRAINT games_event_bound;
    ELSE
        DROP TABLE games_event_first;
    END IF;

    -- What no other partition takes: an append never fails for want of one.
    PERFORM games_partition_table('games_event_default');
    ALTER TABLE games_event ATTACH PARTITION games_event_default DEFAULT;

    -- The processes of the last release read on; `migrate` grants the rest when all migrations are applied.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'qwixx_service') THEN
        GRANT SELECT ON games_event TO qwixx_service;
    END IF;
    PERFORM games_make_partitions(3);
END $$;
