-- What a runner may do: call these functions, and nothing else. The role of its login belongs to one location
-- (docvitals.location_role), whose queue it reads. No role of a location has a privilege on a table: who may write to a table
-- may lock it. Names of columns that are also variables mean the column.

-- The location of who calls; NULL: none.
CREATE OR REPLACE FUNCTION docvitals.runner_location() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT location FROM docvitals.location_role WHERE role = session_user
$$;

CREATE OR REPLACE FUNCTION docvitals.runner_queue() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE location text := docvitals.runner_location();
BEGIN
  IF location IS NULL THEN
    RAISE EXCEPTION 'the role % has no location', session_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN 'run-' || location;
END $$;

-- Takes runs of the caller's location, oldest first. One that was lost with its runner is taken alone (`may_repeat`): it
-- may be what ended the runner, and must not take others with it again.
CREATE OR REPLACE FUNCTION docvitals.take_runs(most integer, may_repeat boolean)
RETURNS TABLE (id uuid, attempt integer, data jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE queue text := docvitals.runner_queue();
BEGIN
  RETURN QUERY
  WITH fresh AS (
    SELECT id FROM docvitals_queue.job
    WHERE name = queue AND state < 'active' AND started_on IS NULL AND keep_until > now()
    ORDER BY created_on LIMIT least(most, 200) FOR UPDATE SKIP LOCKED
  ), lost AS (
    SELECT id FROM docvitals_queue.job
    WHERE may_repeat AND name = queue AND state < 'active' AND started_on IS NOT NULL AND start_after <= now()
    ORDER BY created_on LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  UPDATE docvitals_queue.job SET state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = retry_count + (started_on IS NOT NULL)::integer
  WHERE name = queue AND id IN (SELECT id FROM fresh UNION ALL SELECT id FROM lost)
  RETURNING id, retry_count, data;
END $$;

-- Hands in what a run came to, and ends the run: false where it is not this attempt's any more. What the result is about
-- (run, site, location) is copied from the run that the coordinator requested. `measured` is JSON, NULL: nothing.
CREATE OR REPLACE FUNCTION docvitals.hand_in(run uuid, attempt integer, runner text, measured text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  queue text := docvitals.runner_queue();
  requested jsonb;
BEGIN
  IF octet_length(measured) > 1048576 OR length(runner) > 400 THEN
    RAISE EXCEPTION 'a result may have 1 MiB' USING ERRCODE = 'check_violation';
  END IF;
  DELETE FROM docvitals_queue.job WHERE name = queue AND id = run AND state = 'active' AND retry_count = attempt
  RETURNING data INTO requested;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO docvitals_queue.job
    (name, data, retry_limit, retry_delay, expire_seconds, keep_until, deletion_seconds, policy)
  SELECT name, requested || jsonb_strip_nulls(jsonb_build_object('runner', runner, 'measured', measured)), retry_limit,
    retry_delay, expire_seconds, now() + retention_seconds * interval '1 second', deletion_seconds, policy
  FROM docvitals_queue.queue WHERE name = 'result';
  RETURN true;
END $$;

-- A heartbeat of a runner, and of the runs that it has taken.
CREATE OR REPLACE FUNCTION docvitals.runner_beat(
  own_id text, version text, host text, pid integer, running integer, problems text[], jobs uuid[], attempts integer[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  queue text := docvitals.runner_queue();
  here text := docvitals.runner_location();
BEGIN
  UPDATE docvitals.member AS known SET seen_at = now(), running = runner_beat.running, problems = runner_beat.problems
  WHERE known.id = own_id AND known.role = 'runner' AND known.location = here;
  IF NOT FOUND THEN
    IF (SELECT count(*) FROM docvitals.member WHERE location = here) >= 200 THEN
      RAISE EXCEPTION 'a location may have 200 runners' USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO docvitals.member (id, role, location, version, host, pid, started_at, running, acting, problems)
    VALUES (own_id, 'runner', here, runner_beat.version, runner_beat.host, runner_beat.pid, now(), runner_beat.running, true,
      runner_beat.problems);
  END IF;
  UPDATE docvitals_queue.job SET heartbeat_on = now() FROM unnest(jobs, attempts) AS own (job_id, attempt)
  WHERE name = queue AND id = own.job_id AND retry_count = own.attempt AND state = 'active';
END $$;

-- A runner stops: what it has taken is as if it had not.
CREATE OR REPLACE FUNCTION docvitals.runner_leave(own_id text, jobs uuid[], attempts integer[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE queue text := docvitals.runner_queue();
BEGIN
  UPDATE docvitals_queue.job SET state = 'created', started_on = NULL, heartbeat_on = NULL
  FROM unnest(jobs, attempts) AS own (job_id, attempt)
  WHERE name = queue AND id = own.job_id AND retry_count = own.attempt AND state = 'active';
  DELETE FROM docvitals.member WHERE id = own_id AND role = 'runner' AND location = docvitals.runner_location();
END $$;

DO $$
DECLARE one record;
BEGIN
  -- They refuse who has no location. Schemas are not open to all.
  GRANT EXECUTE ON FUNCTION docvitals.runner_location(), docvitals.runner_queue(), docvitals.take_runs(integer, boolean),
    docvitals.hand_in(uuid, integer, text, text), docvitals.runner_leave(text, uuid[], integer[]),
    docvitals.runner_beat(text, text, text, integer, integer, text[], uuid[], integer[]) TO PUBLIC;
  -- PostgreSQL would take most of its time to compress results, which are gone a second later.
  FOR one IN
    SELECT attrelid::regclass AS queue FROM docvitals_queue.queue
    JOIN pg_attribute ON attrelid = format('docvitals_queue.%I', table_name)::regclass
    WHERE name = 'result' AND attname = 'data' AND attstorage <> 'e'
  LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN data SET STORAGE EXTERNAL', one.queue); END LOOP;
  -- One role for all locations could speak for each of them.
  IF to_regrole('docvitals_runner') IS NOT NULL AND to_regrole('docvitals_runner') <> current_user::regrole THEN
    REVOKE ALL ON ALL TABLES IN SCHEMA docvitals, docvitals_queue FROM docvitals_runner;
    REVOKE ALL ON SCHEMA docvitals, docvitals_queue FROM docvitals_runner;
  END IF;
END $$;
