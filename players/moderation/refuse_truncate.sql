-- TRUNCATE fires no row triggers, so that staff actions need a trigger per statement, too.
CREATE TRIGGER players_staffaction_no_truncate BEFORE TRUNCATE ON players_staffaction
    FOR EACH STATEMENT EXECUTE FUNCTION players_refuse_change();
