-- What a runner may do, where an administrator created its role (`docvitals example postgres-roles`). Granted table by
-- table by their owner, not as default privileges: those would include the tables in which pg-boss keeps commands that a
-- coordinator executes.
DO $$
DECLARE one record;
BEGIN
  IF to_regrole('docvitals_runner') IS NULL OR to_regrole('docvitals_runner') = current_user::regrole THEN RETURN; END IF;
  GRANT SELECT ON docvitals.migration, docvitals_queue.version, docvitals_queue.queue TO docvitals_runner;
  GRANT SELECT, INSERT, UPDATE, DELETE ON docvitals.member TO docvitals_runner;
  -- A run that is given back for the second time becomes a result.
  GRANT INSERT ON docvitals_queue.job TO docvitals_runner;
  FOR one IN SELECT name, table_name FROM docvitals_queue.queue WHERE partition LOOP
    IF one.name = 'result' THEN
      EXECUTE format('GRANT INSERT, SELECT (id) ON docvitals_queue.%I TO docvitals_runner', one.table_name);
    ELSE
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON docvitals_queue.%I TO docvitals_runner', one.table_name);
    END IF;
  END LOOP;
END $$
