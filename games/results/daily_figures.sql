-- The figures of one day (UTC), computed from the games and players. Parameters: the day, the least ids of that day and of the
-- next one. Rows that exist are replaced; time-outs are not lost when the logs that contain them leave for the archive.
WITH born AS (
    SELECT id, ruleset, status, visibility, deadline_at FROM games_game WHERE id >= %(first)s AND id < %(next)s
), over AS (
    SELECT game.id, game.ruleset, game.status, extract(epoch FROM game.ended_at - game.created_at) AS seconds,
           coalesce(event.data, archived.end_data) AS data
      FROM games_game AS game
           LEFT JOIN games_event AS event ON event.game_id = game.id AND event.type = 'game_ended'
           LEFT JOIN games_archivedgame AS archived ON archived.game_id = game.id
     WHERE game.status IN ('finished', 'voided') AND game.ended_at >= %(day)s AND game.ended_at < %(day_after)s
), bots AS (
    SELECT over.ruleset, seat.bot, (place ->> 'rank')::int = 1 AS has_won
      FROM over CROSS JOIN jsonb_array_elements(over.data -> 'ranking') AS place
           JOIN games_seat AS seat ON seat.game_id = over.id AND seat.seat = (place ->> 'seat')::int
     WHERE seat.bot <> ''
), active AS (
    SELECT player FROM games_activeday WHERE day = %(date)s
), newcomers AS (
    SELECT id, email FROM players_player WHERE id >= %(first)s AND id < %(next)s AND bot_owner_id IS NULL
), found (name, ruleset, label, value) AS (
    SELECT 'games', ruleset, status, count(*) FROM born GROUP BY ruleset, status
    UNION ALL
    -- What no index of games in progress contains: the dashboard adds it to those.
    SELECT 'hidden_playing', ruleset, '', count(*) FROM born
     WHERE status = 'playing' AND visibility = 'private' AND deadline_at IS NULL GROUP BY ruleset
    UNION ALL
    SELECT 'seats', born.ruleset, '', count(*) FROM born JOIN games_seat AS seat ON seat.game_id = born.id
     WHERE seat.player IS NOT NULL GROUP BY born.ruleset
    UNION ALL
    SELECT 'ends', ruleset, CASE WHEN status = 'voided' THEN 'voided' ELSE data ->> 'reason' END, count(*)
      FROM over WHERE data IS NOT NULL OR status = 'voided' GROUP BY 1, 2, 3
    UNION ALL
    SELECT 'ended', ruleset, '', count(*) FROM over GROUP BY ruleset
    UNION ALL
    SELECT 'seconds', ruleset, '', sum(seconds)::bigint FROM over GROUP BY ruleset
    UNION ALL
    SELECT 'median_seconds', ruleset, '', percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)::bigint FROM over GROUP BY ruleset
    UNION ALL
    SELECT 'bot_games', ruleset, bot, count(*) FROM bots GROUP BY ruleset, bot
    UNION ALL
    SELECT 'bot_wins', ruleset, bot, count(*) FROM bots WHERE has_won GROUP BY ruleset, bot
    UNION ALL
    SELECT 'new', '', '', count(*) FROM newcomers
    UNION ALL
    SELECT 'new_accounts', '', '', count(email) FROM newcomers
    UNION ALL
    SELECT 'upgrades', '', '', count(*) FROM players_player
     WHERE became_account_at >= %(day)s AND became_account_at < %(day_after)s
    UNION ALL
    SELECT 'active', '', '1', count(*) FROM active
    UNION ALL
    SELECT 'returning', '', '', count(*) FROM active WHERE player < %(first)s
    UNION ALL
    SELECT 'active', '', span::text, count(DISTINCT past.player)
      FROM unnest(ARRAY[7, 30]) AS span JOIN games_activeday AS past ON past.day > %(date)s - span AND past.day <= %(date)s
     GROUP BY span
    UNION ALL
    SELECT 'retained', '', span::text, count(*)
      FROM unnest(ARRAY[1, 7, 30]) AS span JOIN games_activeday AS later ON later.day = %(date)s + span
           JOIN newcomers ON newcomers.id = later.player
     GROUP BY span
    UNION ALL
    SELECT 'time_outs', '', '', count(*) FROM games_event
     WHERE type = 'time_ran_out' AND at >= %(day)s AND at < %(day_after)s
)
INSERT INTO games_dailyfigure (day, name, ruleset, label, value)
SELECT %(date)s, name, ruleset, coalesce(label, ''), value FROM found WHERE value > 0
    ON CONFLICT (day, name, ruleset, label) DO UPDATE
   SET value = CASE excluded.name WHEN 'time_outs' THEN greatest(games_dailyfigure.value, excluded.value)
                                  ELSE excluded.value END
