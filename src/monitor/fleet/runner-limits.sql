-- What the role of a runner may write. Coordinators read whole rows, and pg-boss adds to numbers and times of jobs: one that
-- overflows would fail each statement. In bytes; a result holds at most 1 MiB, which is deflated and then Base64 (4/3 of it
-- where it cannot be deflated). Rows that do not fit are older than the limits. Not a migration: a coordinator of the
-- version before can still act.
DO $$
DECLARE
  one record;
  fits text;
BEGIN
  FOR one IN
    SELECT 'docvitals.member' AS checked, 0 AS most
    UNION ALL
    SELECT format('docvitals_queue.%I', table_name), CASE name WHEN 'result' THEN 1500000 ELSE 4000 END
    FROM docvitals_queue.queue WHERE partition
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT 1 FROM pg_constraint WHERE conrelid = one.checked::regclass AND conname = 'docvitals_limits');
    fits := CASE one.checked WHEN 'docvitals.member' THEN $fits$
      role IN ('runner', 'coordinator') AND pid >= 0 AND running >= 0
      AND length(id) <= 400 AND length(location) <= 100 AND length(version) <= 100 AND length(host) <= 300
      AND least(started_at, seen_at) > '2000-01-01 00:00Z' AND greatest(started_at, seen_at) < '2200-01-01 00:00Z'
      AND cardinality(problems) <= 20 AND coalesce(array_ndims(problems), 1) = 1
      AND array_position(problems, NULL) IS NULL AND length(array_to_string(problems, ' ')) <= 1000
    $fits$ ELSE format($fits$
      coalesce(octet_length(data::text), 0) <= %s AND group_id IS NULL AND group_tier IS NULL
      AND retry_count BETWEEN 0 AND 1000000 AND retry_delay BETWEEN 0 AND 1000000
      AND greatest(created_on, start_after, started_on, completed_on, heartbeat_on, keep_until) < '2200-01-01 00:00Z'
      AND least(created_on, start_after, started_on, completed_on, heartbeat_on, keep_until) > '2000-01-01 00:00Z'
    $fits$, one.most) END;
    EXECUTE format('DELETE FROM %s WHERE NOT (%s)', one.checked, fits);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT docvitals_limits CHECK (%s)', one.checked, fits);
  END LOOP;
END $$
