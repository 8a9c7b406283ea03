-- Creates the two roles of the service in a PostgreSQL of its own, and hands the current database to the owner. A superuser
-- runs it: the embedded server at every start, and a container once. A database of an earlier version, whose tables belong
-- to another role, is handed over too.
DO $$
DECLARE
    statement text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'qwixx_owner') THEN
        CREATE ROLE qwixx_owner LOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'qwixx_service') THEN
        CREATE ROLE qwixx_service LOGIN;
    END IF;
    EXECUTE format('ALTER DATABASE %I OWNER TO qwixx_owner', current_database());

    FOR statement IN
        SELECT format('ALTER %s %s OWNER TO qwixx_owner', CASE relkind WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, oid::regclass)
          FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'c')
           AND relowner <> 'qwixx_owner'::regrole
           AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')  -- not of an extension
        UNION ALL
        SELECT format('ALTER ROUTINE %s OWNER TO qwixx_owner', oid::regprocedure)
          FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace AND proowner <> 'qwixx_owner'::regrole
           AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
END $$;
