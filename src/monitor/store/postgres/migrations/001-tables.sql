-- These tables are documented for people who read them with SQL: names and meanings stay, and migrations only add to them,
-- so that processes of the version before continue.

CREATE TABLE docvitals.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE docvitals.run (
  site text NOT NULL, started_at timestamptz NOT NULL, scope text NOT NULL,
  verdict text NOT NULL, maintenance boolean NOT NULL, ticks integer NOT NULL,
  duration_ms integer NOT NULL, response_ms integer,
  PRIMARY KEY (site, started_at, scope)
) PARTITION BY RANGE (started_at);

CREATE TABLE docvitals.run_check (
  site text NOT NULL, started_at timestamptz NOT NULL, scope text NOT NULL, position smallint NOT NULL,
  check_id text NOT NULL, status text NOT NULL, rules text[] NOT NULL,
  http_status integer, duration_ms integer,
  PRIMARY KEY (site, started_at, scope, position)
) PARTITION BY RANGE (started_at);

CREATE TABLE docvitals.rollup (
  site text NOT NULL, resolution text NOT NULL, at timestamptz NOT NULL,
  healthy integer NOT NULL, degraded integer NOT NULL, down integer NOT NULL,
  stale integer NOT NULL, unknown integer NOT NULL, maintenance integer NOT NULL,
  response_mean_ms integer, response_min_ms integer, response_max_ms integer, response_p95_ms integer,
  response_total_ms bigint NOT NULL, response_histogram jsonb NOT NULL,
  PRIMARY KEY (site, resolution, at)
) PARTITION BY LIST (resolution);
CREATE TABLE docvitals.rollup_minute PARTITION OF docvitals.rollup FOR VALUES IN ('minute') PARTITION BY RANGE (at);
CREATE TABLE docvitals.rollup_hour PARTITION OF docvitals.rollup FOR VALUES IN ('hour');
CREATE TABLE docvitals.rollup_day PARTITION OF docvitals.rollup FOR VALUES IN ('day');

CREATE TABLE docvitals.site_state (
  site text PRIMARY KEY, verdict text NOT NULL, updated_at timestamptz NOT NULL, document json NOT NULL
);

CREATE TABLE docvitals.incident (
  id text PRIMARY KEY, site text NOT NULL,
  verdict text NOT NULL, checks text[] NOT NULL, rules text[] NOT NULL,
  started_at timestamptz NOT NULL, detected_at timestamptz NOT NULL, notified_at timestamptz, recovered_at timestamptz,
  objective_ms bigint NOT NULL, flapping boolean NOT NULL, same_as text, document json NOT NULL
);
CREATE INDEX ON docvitals.incident (detected_at);
CREATE INDEX ON docvitals.incident (site, detected_at);
CREATE INDEX ON docvitals.incident (recovered_at, detected_at);

CREATE TABLE docvitals.notification (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  -- No incident where the notification is about the monitor itself, or about findings.
  incident text NOT NULL, route text NOT NULL, event text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'given up', 'cancelled')),
  created_at timestamptz NOT NULL, due_at timestamptz NOT NULL, sent_at timestamptz,
  attempts integer NOT NULL DEFAULT 0, last_error text, document json NOT NULL
);
CREATE INDEX ON docvitals.notification (incident, route, seq);
CREATE INDEX ON docvitals.notification (incident, route, seq) WHERE state = 'waiting';
CREATE INDEX ON docvitals.notification (created_at) WHERE state <> 'waiting';

CREATE TABLE docvitals.maintenance (
  id text PRIMARY KEY, site text NOT NULL, from_at timestamptz NOT NULL, to_at timestamptz NOT NULL, reason text
);
CREATE INDEX ON docvitals.maintenance (to_at);

CREATE TABLE docvitals.picture (
  site text NOT NULL, incident text NOT NULL, route text NOT NULL, taken_at timestamptz NOT NULL, jpeg bytea NOT NULL,
  PRIMARY KEY (site, incident, route)
);

-- Which monitor acts. `owner` is NULL where none does. Times are those of the database.
CREATE TABLE docvitals.lease (
  name text PRIMARY KEY, fence bigint NOT NULL, owner json,
  renewed_at timestamptz NOT NULL, claimed_at timestamptz
);

-- The location that the role of a runner's login belongs to. An administrator may have created it, and fills it.
CREATE TABLE IF NOT EXISTS docvitals.location_role (role text PRIMARY KEY, location text NOT NULL);

CREATE TABLE docvitals.note (name text PRIMARY KEY, value text NOT NULL);
