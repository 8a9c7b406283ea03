-- Staff actions are chained: each entry has a position and a hash over the hash before it and its own fields, each with its
-- length, so that two entries never have one text. `players.moderation.action_chain` computes the hashes again.
CREATE OR REPLACE FUNCTION players_chain_action() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    field text;
    last int;
    hashed bytea;
BEGIN
    -- Until the end of the transaction: the next entry sees this one.
    PERFORM pg_advisory_xact_lock(hashtext('players_staffaction'));
    SELECT position, hash INTO last, hashed
      FROM players_staffaction WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1;
    NEW.position := coalesce(last, 0) + 1;
    hashed := coalesce(hashed, ''::bytea);
    FOREACH field IN ARRAY ARRAY[
        NEW.position::text, NEW."by"::text, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        NEW.what, NEW.kind, NEW.target::text, NEW.reason, NEW.detail, NEW.before, NEW.after
    ] LOOP
        hashed := hashed || convert_to(octet_length(field) || ':' || field, 'UTF8');
    END LOOP;
    NEW.hash := sha256(hashed);
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER players_staffaction_chain BEFORE INSERT ON players_staffaction
    FOR EACH ROW EXECUTE FUNCTION players_chain_action();
