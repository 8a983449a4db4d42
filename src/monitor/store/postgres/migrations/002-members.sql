CREATE TABLE docvitals.member (
  id text PRIMARY KEY, role text NOT NULL, location text,
  version text NOT NULL, host text NOT NULL, pid integer NOT NULL,
  started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL DEFAULT now(),
  running integer NOT NULL, acting boolean NOT NULL, problems text[] NOT NULL,
  -- Runners write what they like, and coordinators read whole rows.
  CONSTRAINT member_limits CHECK (
    role IN ('runner', 'coordinator') AND pid >= 0 AND running >= 0
    AND length(id) <= 400 AND length(location) <= 100 AND length(version) <= 100 AND length(host) <= 300
    AND cardinality(problems) <= 20 AND coalesce(array_ndims(problems), 1) = 1
    AND array_position(problems, NULL) IS NULL AND length(array_to_string(problems, ' ')) <= 1000
  )
);
