-- Times are ms since 1970, but minutes in `bucket`. `outbox.state`: 0 waiting, 1 sent, 2 given up, 3 cancelled.

CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE round (
  site INTEGER NOT NULL REFERENCES site, at INTEGER NOT NULL, kind INTEGER NOT NULL,
  duration INTEGER NOT NULL, checks BLOB NOT NULL,
  PRIMARY KEY (site, at, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE bucket (
  site INTEGER NOT NULL REFERENCES site, size INTEGER NOT NULL, at INTEGER NOT NULL,
  healthy INTEGER NOT NULL, degraded INTEGER NOT NULL, down INTEGER NOT NULL,
  stale INTEGER NOT NULL, unknown INTEGER NOT NULL, maintenance INTEGER NOT NULL,
  total INTEGER NOT NULL, least INTEGER, most INTEGER, times BLOB,
  PRIMARY KEY (site, size, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE state (site INTEGER PRIMARY KEY REFERENCES site, json TEXT NOT NULL) STRICT;

CREATE TABLE incident (
  id TEXT PRIMARY KEY, site INTEGER NOT NULL REFERENCES site,
  detected_at INTEGER NOT NULL, recovered_at INTEGER, notified_at INTEGER, same_as TEXT, json TEXT NOT NULL
) STRICT;
CREATE INDEX incident_by_time ON incident (detected_at);
CREATE INDEX incident_by_site ON incident (site, detected_at);
CREATE INDEX incident_by_end ON incident (recovered_at, detected_at);
CREATE INDEX incident_same ON incident (same_as) WHERE same_as IS NOT NULL;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  incident TEXT NOT NULL REFERENCES incident ON DELETE CASCADE, route TEXT NOT NULL, event TEXT NOT NULL,
  created_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, last_error TEXT, sent_at INTEGER,
  state INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_by_incident ON outbox (incident, route, seq);
CREATE INDEX outbox_due ON outbox (due_at, seq) WHERE state = 0;
CREATE INDEX outbox_waiting ON outbox (incident, route, seq) WHERE state = 0;
CREATE INDEX outbox_ended ON outbox (created_at) WHERE state <> 0;

CREATE TABLE maintenance (
  id TEXT PRIMARY KEY, site TEXT NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, reason TEXT
) STRICT;
CREATE INDEX maintenance_by_end ON maintenance (to_at);

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
