-- A ban counts for the player's bot accounts, too. It names the sessions, so that their open streams are closed.
CREATE OR REPLACE FUNCTION players_notify_ban() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('players', 'player:' || id) FROM players_player WHERE NEW.id IN (id, bot_owner_id);
    IF NEW.banned_until > now() THEN
        PERFORM pg_notify('players', 'banned:' || session.id)
           FROM players_session AS session JOIN players_player AS player ON player.id = session.player_id
          WHERE NEW.id IN (player.id, player.bot_owner_id) AND session.revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
