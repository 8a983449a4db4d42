-- The names of PostgreSQL's tables and columns, except for runs and roll-ups. Times are ms since 1970, but minutes in `rollup`.

CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE run (
  site INTEGER NOT NULL REFERENCES site, at INTEGER NOT NULL, kind INTEGER NOT NULL,
  duration INTEGER NOT NULL, checks BLOB NOT NULL,
  PRIMARY KEY (site, at, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE rollup (
  site INTEGER NOT NULL REFERENCES site, size INTEGER NOT NULL, at INTEGER NOT NULL,
  healthy INTEGER NOT NULL, degraded INTEGER NOT NULL, down INTEGER NOT NULL,
  stale INTEGER NOT NULL, unknown INTEGER NOT NULL, maintenance INTEGER NOT NULL,
  total INTEGER NOT NULL, least INTEGER, most INTEGER, times BLOB,
  PRIMARY KEY (site, size, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE site_state (site TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;

CREATE TABLE incident (
  id TEXT PRIMARY KEY, site TEXT NOT NULL,
  detected_at INTEGER NOT NULL, recovered_at INTEGER, notified_at INTEGER, same_as TEXT, document TEXT NOT NULL
) STRICT;
CREATE INDEX incident_by_time ON incident (detected_at);
CREATE INDEX incident_by_site ON incident (site, detected_at);
CREATE INDEX incident_by_end ON incident (recovered_at, detected_at);

-- `incident` is no incident where the notification is about the monitor itself, or about findings.
CREATE TABLE notification (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  incident TEXT NOT NULL, route TEXT NOT NULL, event TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'given up', 'cancelled')),
  created_at INTEGER NOT NULL, due_at INTEGER NOT NULL, sent_at INTEGER,
  attempts INTEGER NOT NULL, last_error TEXT, document TEXT NOT NULL
) STRICT;
CREATE INDEX notification_by_incident ON notification (incident, route, seq);
CREATE INDEX notification_waiting ON notification (incident, route, seq) WHERE state = 'waiting';
CREATE INDEX notification_ended ON notification (created_at) WHERE state <> 'waiting';

CREATE TABLE maintenance (
  id TEXT PRIMARY KEY, site TEXT NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, reason TEXT
) STRICT;
CREATE INDEX maintenance_by_end ON maintenance (to_at);

-- `incident` is empty where the picture is a good one.
CREATE TABLE picture (
  site TEXT NOT NULL, incident TEXT NOT NULL, route TEXT NOT NULL, taken_at INTEGER NOT NULL, jpeg BLOB NOT NULL,
  PRIMARY KEY (site, incident, route)
) STRICT;

CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
