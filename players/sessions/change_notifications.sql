-- Processes that cache sessions and players listen on the channel `players`. Triggers send the notifications, so that no
-- code that changes a row can forget to; PostgreSQL delivers them after the commit. New rows need no notification,
-- because missing rows are never cached.
CREATE FUNCTION players_notify_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', TG_ARGV[0] || ':' || OLD.id);
    RETURN NULL;
END $$;

CREATE TRIGGER players_session_revoked AFTER UPDATE ON players_session
    FOR EACH ROW WHEN ((OLD.revoked_at, OLD.player_id, OLD.token_hash)
                       IS DISTINCT FROM (NEW.revoked_at, NEW.player_id, NEW.token_hash))
    EXECUTE FUNCTION players_notify_change('session');

CREATE TRIGGER players_session_deleted AFTER DELETE ON players_session
    FOR EACH ROW EXECUTE FUNCTION players_notify_change('session');

CREATE TRIGGER players_player_changed AFTER UPDATE ON players_player
    FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.is_active, OLD.is_staff)
                       IS DISTINCT FROM (NEW.name, NEW.email, NEW.is_active, NEW.is_staff))
    EXECUTE FUNCTION players_notify_change('player');

CREATE TRIGGER players_player_deleted AFTER DELETE ON players_player
    FOR EACH ROW EXECUTE FUNCTION players_notify_change('player');

CREATE FUNCTION players_notify_truncate() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', 'all');
    RETURN NULL;
END $$;

CREATE TRIGGER players_session_emptied AFTER TRUNCATE ON players_session
    FOR EACH STATEMENT EXECUTE FUNCTION players_notify_truncate();
CREATE TRIGGER players_player_emptied AFTER TRUNCATE ON players_player
    FOR EACH STATEMENT EXECUTE FUNCTION players_notify_truncate();

-- A ban also names the player's sessions, so that their open streams are closed. (`ban_notifications.sql` replaces it.)
CREATE FUNCTION players_notify_ban() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', 'player:' || NEW.id);
    IF NEW.banned_until > now() THEN
        PERFORM pg_notify('players', 'banned:' || id) FROM players_session
          WHERE player_id = NEW.id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER players_player_banned AFTER UPDATE ON players_player
    FOR EACH ROW WHEN (OLD.banned_until IS DISTINCT FROM NEW.banned_until)
    EXECUTE FUNCTION players_notify_ban();
