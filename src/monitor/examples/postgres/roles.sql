-- The roles of docvitals on PostgreSQL, each with the privileges that it needs.
--
-- Run this once, as an administrator, in the database of docvitals, before the first coordinator starts:
--   docvitals example postgres-roles | psql -d docvitals -v ON_ERROR_STOP=1
-- Then set the passwords in psql, which does not log them:
--   \password docvitals_coordinator
--   \password docvitals_runner
--
-- The addresses are then:
--   postgres://docvitals_coordinator@db.example.com/docvitals  for docvitals coordinator (and docvitals monitor)
--   postgres://docvitals_runner@db.example.com/docvitals       for docvitals runner
--
-- Runners with a login of their own (for example one for each location) are members of docvitals_runner:
--   CREATE ROLE docvitals_runner_paris LOGIN IN ROLE docvitals_runner;

BEGIN;

CREATE ROLE docvitals_coordinator LOGIN;
CREATE ROLE docvitals_runner LOGIN;

-- Coordinators own both schemas: they create the tables, and migrate them. They need no other privilege.
CREATE SCHEMA docvitals AUTHORIZATION docvitals_coordinator;
CREATE SCHEMA docvitals_queue AUTHORIZATION docvitals_coordinator;

-- Runners take and return runs, insert results, and write heartbeats. Coordinators grant them that, table by table, also
-- for each new location; an administrator is not needed again. Runners may not read or change incidents, notifications,
-- states or history.
GRANT USAGE ON SCHEMA docvitals, docvitals_queue TO docvitals_runner;

COMMIT;
