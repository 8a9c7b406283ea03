-- The language of a player is cached with their sessions: a change of it is notified like a change of the name.
CREATE OR REPLACE TRIGGER players_player_changed AFTER UPDATE ON players_player
    FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.is_active, OLD.is_staff, OLD.locale)
                       IS DISTINCT FROM (NEW.name, NEW.email, NEW.is_active, NEW.is_staff, NEW.locale))
    EXECUTE FUNCTION players_notify_change('player');
