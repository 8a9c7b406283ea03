-- What `manage.py archive` does as the owner (decision 32): a partition whose games are archived leaves the log.

-- The events of a part of the log that no volume has: of games that are not over, and what was appended to a game after it
-- was archived.
CREATE FUNCTION games_unarchived(part regclass) RETURNS SETOF games_event
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY EXECUTE format(
        'SELECT event.* FROM %s AS event WHERE NOT EXISTS (SELECT FROM games_archivedgame AS archived '
        'WHERE archived.game_id = event.game_id AND archived.version >= event.version)', part);
END $$;


-- Drops a partition; what no volume has is moved to the default partition, which is itself replaced by a new one in the same
-- way. All of it is one transaction, for which appends wait: so nothing happens if more than `at_most` events would be
-- moved. Returns how many were moved; NULL: too many.
CREATE FUNCTION games_drop_partition(part text, at_most int) RETURNS int
    LANGUAGE plpgsql AS $$
DECLARE
    leaving regclass := part::regclass;
    moved int;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_partition_tree('games_event') WHERE isleaf AND relid = leaving) THEN
        RAISE EXCEPTION '% is not a partition of the log', part;
    END IF;
    PERFORM set_config('lock_timeout', '2s', true);
    PERFORM pg_advisory_xact_lock(hashtext('games partitions'));
    IF (SELECT count(*) > at_most FROM games_unarchived(leaving)) THEN
        RETURN NULL;
    END IF;

    LOCK TABLE games_event IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('ALTER TABLE games_event DETACH PARTITION %s', leaving);
    IF part = 'games_event_default' THEN
        ALTER TABLE games_event_default RENAME TO games_event_leaving;
        PERFORM games_partition_table('games_event_default');
        ALTER TABLE games_event ATTACH PARTITION games_event_default DEFAULT;
    END IF;
    INSERT INTO games_event SELECT * FROM games_unarchived(leaving);
    GET DIAGNOSTICS moved = ROW_COUNT;
    EXECUTE format('DROP TABLE %s', leaving);
    RETURN moved;
END $$;

REVOKE ALL ON FUNCTION games_unarchived(regclass), games_drop_partition(text, int) FROM PUBLIC;
