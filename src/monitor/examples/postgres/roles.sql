-- The roles of docvitals on PostgreSQL, each with the privileges that it needs.
--
-- Name your locations below, then run this once, as a superuser, in a database that only docvitals uses, before the first
-- coordinator starts:
--   docvitals example postgres-roles | psql -d docvitals -v ON_ERROR_STOP=1
-- Then set the passwords in psql, which does not log them:
--   \password docvitals_coordinator
--   \password docvitals_paris
--
-- The addresses are then:
--   postgres://docvitals_coordinator@db.example.com/docvitals  for docvitals coordinator (and docvitals monitor)
--   postgres://docvitals_paris@db.example.com/docvitals        for docvitals runner --location paris

BEGIN;

CREATE ROLE docvitals_coordinator LOGIN;

-- Coordinators own both schemas: they create the tables, and migrate them. They need no other privilege.
CREATE SCHEMA docvitals AUTHORIZATION docvitals_coordinator;
CREATE SCHEMA docvitals_queue AUTHORIZATION docvitals_coordinator;

-- Each location has a role of its own. It may call the functions of runners, which take the runs of that location, hand in
-- their results and write heartbeats. It has no privilege on any table.
CREATE TABLE docvitals.location_role (role text PRIMARY KEY, location text NOT NULL);
ALTER TABLE docvitals.location_role OWNER TO docvitals_coordinator;
INSERT INTO docvitals.location_role (role, location) VALUES
  ('docvitals_paris', 'paris'),
  ('docvitals_bucharest', 'bucharest'),
  ('docvitals_virginia', 'virginia');

-- For a location that is added later, run these three statements:
--   INSERT INTO docvitals.location_role (role, location) VALUES ('docvitals_tokyo', 'tokyo');
--   CREATE ROLE docvitals_tokyo LOGIN CONNECTION LIMIT 40;
--   GRANT USAGE ON SCHEMA docvitals TO docvitals_tokyo;
DO $$
DECLARE one text;
BEGIN
  FOR one IN SELECT role FROM docvitals.location_role LOOP
    EXECUTE format('CREATE ROLE %I LOGIN CONNECTION LIMIT 40', one);
    EXECUTE format('GRANT USAGE ON SCHEMA docvitals TO %I', one);
  END LOOP;
END $$;

-- Advisory locks are open to every role by default. Coordinators lock the queues by them, so nobody else may.
DO $$
DECLARE one regprocedure;
BEGIN
  FOR one IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_(xact_)?lock'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO docvitals_coordinator', one);
  END LOOP;
END $$;

COMMIT;
