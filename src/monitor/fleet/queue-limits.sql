-- What the role of a runner may write into a queue. Coordinators read whole rows, and pg-boss adds to numbers and times of
-- them: one that overflows would fail each statement. In bytes; a result holds at most 1 MiB, which is deflated and then
-- Base64 (4/3 of it where it cannot be deflated). Rows that are larger are older than the limit.
DO $$
DECLARE
  one record;
  fits text;
BEGIN
  FOR one IN
    SELECT format('docvitals_queue.%I', table_name) AS job_table, CASE name WHEN 'result' THEN 1500000 ELSE 4000 END AS most
    FROM docvitals_queue.queue WHERE partition
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT 1 FROM pg_constraint WHERE conrelid = one.job_table::regclass AND conname = 'docvitals_limits');
    fits := format($fits$
      coalesce(octet_length(data::text), 0) <= %s AND group_id IS NULL AND group_tier IS NULL
      AND retry_count BETWEEN 0 AND 1000000 AND retry_delay BETWEEN 0 AND 1000000
      AND greatest(created_on, start_after, started_on, completed_on, heartbeat_on, keep_until) < '2200-01-01 00:00Z'
      AND least(created_on, start_after, started_on, completed_on, heartbeat_on, keep_until) > '2000-01-01 00:00Z'
    $fits$, one.most);
    EXECUTE format('DELETE FROM %s WHERE NOT (%s)', one.job_table, fits);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT docvitals_limits CHECK (%s)', one.job_table, fits);
  END LOOP;
END $$
