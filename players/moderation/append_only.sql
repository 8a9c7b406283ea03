-- Staff actions are an append-only record.
CREATE FUNCTION players_refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'staff actions are never changed and never deleted';
END $$;

CREATE TRIGGER players_staffaction_append_only BEFORE UPDATE OR DELETE ON players_staffaction
    FOR EACH ROW EXECUTE FUNCTION players_refuse_change();
