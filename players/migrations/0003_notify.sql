-- Whoever remembers sessions and players in memory listens on the channel `players`. Triggers tell, so that no way of
-- changing a row can forget to; PostgreSQL delivers after the commit. New rows are told of to nobody: what is not there
-- is never remembered.
CREATE FUNCTION players_tell() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', TG_ARGV[0] || ':' || OLD.id);
    RETURN NULL;
END $$;

CREATE TRIGGER players_session_revoked AFTER UPDATE ON players_session
    FOR EACH ROW WHEN ((OLD.revoked_at, OLD.player_id, OLD.token_hash)
                       IS DISTINCT FROM (NEW.revoked_at, NEW.player_id, NEW.token_hash))
    EXECUTE FUNCTION players_tell('session');

CREATE TRIGGER players_session_deleted AFTER DELETE ON players_session
    FOR EACH ROW EXECUTE FUNCTION players_tell('session');

CREATE TRIGGER players_player_changed AFTER UPDATE ON players_player
    FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.is_active, OLD.is_staff)
                       IS DISTINCT FROM (NEW.name, NEW.email, NEW.is_active, NEW.is_staff))
    EXECUTE FUNCTION players_tell('player');

CREATE TRIGGER players_player_deleted AFTER DELETE ON players_player
    FOR EACH ROW EXECUTE FUNCTION players_tell('player');

CREATE FUNCTION players_tell_all() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', 'all');
    RETURN NULL;
END $$;

CREATE TRIGGER players_session_emptied AFTER TRUNCATE ON players_session
    FOR EACH STATEMENT EXECUTE FUNCTION players_tell_all();
CREATE TRIGGER players_player_emptied AFTER TRUNCATE ON players_player
    FOR EACH STATEMENT EXECUTE FUNCTION players_tell_all();
