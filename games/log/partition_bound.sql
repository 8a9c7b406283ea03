-- The ids of all games up to now, and of those of the next weeks, are below a bound: a later migration makes the table a
-- partition, and needs no look at its rows when this has been validated.
DO $$
BEGIN
    EXECUTE format('ALTER TABLE games_event ADD CONSTRAINT games_event_bound CHECK (game_id < %L) NOT VALID',
                   games_first_id(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '2 months'));
END $$;
