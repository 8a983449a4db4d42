-- Members are written by the role of a runner, and read by every coordinator.
DO $$
DECLARE
  fits text := $fits$
    role IN ('runner', 'coordinator') AND pid >= 0 AND running >= 0
    AND length(id) <= 400 AND length(location) <= 100 AND length(version) <= 100 AND length(host) <= 300
    AND started_at BETWEEN '2000-01-01 00:00Z' AND '2200-01-01 00:00Z'
    AND seen_at BETWEEN '2000-01-01 00:00Z' AND '2200-01-01 00:00Z'
    AND cardinality(troubles) <= 20 AND coalesce(array_ndims(troubles), 1) = 1
    AND array_position(troubles, NULL) IS NULL AND length(array_to_string(troubles, ' ')) <= 1000
  $fits$;
BEGIN
  EXECUTE format('DELETE FROM docvitals.member WHERE NOT (%s)', fits);
  EXECUTE format('ALTER TABLE docvitals.member ADD CONSTRAINT docvitals_limits CHECK (%s)', fits);
END $$;
