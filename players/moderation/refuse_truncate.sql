-- TRUNCATE fires no trigger for each row, so `append_only.sql` alone does not refuse it.
CREATE TRIGGER players_staffaction_no_truncate BEFORE TRUNCATE ON players_staffaction
    FOR EACH STATEMENT EXECUTE FUNCTION players_refuse_change();
