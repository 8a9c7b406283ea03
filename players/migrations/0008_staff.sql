-- A ban is heard of like any other change of a player; streams that are open are shown out by their sessions.
CREATE FUNCTION players_tell_ban() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', 'player:' || NEW.id);
    IF NEW.banned_until > now() THEN
        PERFORM pg_notify('players', 'barred:' || id) FROM players_session
          WHERE player_id = NEW.id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER players_player_banned AFTER UPDATE ON players_player
    FOR EACH ROW WHEN (OLD.banned_until IS DISTINCT FROM NEW.banned_until)
    EXECUTE FUNCTION players_tell_ban();

-- What staff have done stays written.
CREATE FUNCTION players_refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what staff have done is never changed and never deleted';
END $$;

CREATE TRIGGER players_staffaction_append_only BEFORE UPDATE OR DELETE ON players_staffaction
    FOR EACH ROW EXECUTE FUNCTION players_refuse_change();

-- Staff look for players by how their names begin, as Django's `istartswith` asks it.
CREATE INDEX players_player_called ON players_player (upper(name::text) text_pattern_ops);
