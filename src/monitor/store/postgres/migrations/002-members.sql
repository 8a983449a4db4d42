CREATE TABLE docvitals.member (
  id text PRIMARY KEY, role text NOT NULL, location text,
  version text NOT NULL, host text NOT NULL, pid integer NOT NULL,
  started_at timestamptz NOT NULL, seen_at timestamptz NOT NULL DEFAULT now(),
  running integer NOT NULL, acting boolean NOT NULL, problems text[] NOT NULL
);
