-- What the role of the service may do to every table of the service: read and write rows, and nothing else; partitions it uses
-- through their table only. The packages take back what does not hold for their tables. All of it runs in one transaction, after every migration.
GRANT USAGE ON SCHEMA public TO qwixx_service;

DO $$
DECLARE
    name regclass;
    is_part boolean;
BEGIN
    FOR name, is_part IN
        SELECT oid, relispartition FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND pg_has_role(relowner, 'USAGE')
    LOOP
        EXECUTE format('REVOKE ALL ON %s FROM qwixx_service', name);
        CONTINUE WHEN is_part;
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO qwixx_service', name);
    END LOOP;
END $$;

REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM qwixx_service;
