-- The names of PostgreSQL's tables, columns and states, so that both stores have the same queries. `meta` stays: earlier
-- versions read there who uses the database.

ALTER TABLE round RENAME TO run;
ALTER TABLE bucket RENAME TO rollup;

CREATE TABLE site_state (site TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;
INSERT INTO site_state SELECT name, json FROM state JOIN site ON site.id = state.site;
DROP TABLE state;

ALTER TABLE incident RENAME TO former_incident;
CREATE TABLE incident (
  id TEXT PRIMARY KEY, site TEXT NOT NULL,
  detected_at INTEGER NOT NULL, recovered_at INTEGER, notified_at INTEGER, same_as TEXT, document TEXT NOT NULL
) STRICT;
INSERT INTO incident SELECT former.id, name, detected_at, recovered_at, notified_at, same_as, json
  FROM former_incident AS former JOIN site ON site.id = former.site;

CREATE TABLE notification (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  incident TEXT NOT NULL REFERENCES incident ON DELETE CASCADE, route TEXT NOT NULL, event TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'given up', 'cancelled')),
  created_at INTEGER NOT NULL, due_at INTEGER NOT NULL, sent_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0, last_error TEXT, document TEXT NOT NULL
) STRICT;
INSERT INTO notification SELECT seq, key, incident, route, event,
  CASE state WHEN 0 THEN 'waiting' WHEN 1 THEN 'sent' WHEN 2 THEN 'given up' ELSE 'cancelled' END,
  created_at, due_at, sent_at, attempts, last_error, json FROM outbox;
DROP TABLE outbox;
DROP TABLE former_incident;
CREATE INDEX incident_by_time ON incident (detected_at);
CREATE INDEX incident_by_site ON incident (site, detected_at);
CREATE INDEX incident_by_end ON incident (recovered_at, detected_at);
CREATE INDEX incident_same ON incident (same_as) WHERE same_as IS NOT NULL;
CREATE INDEX notification_by_incident ON notification (incident, route, seq);
CREATE INDEX notification_due ON notification (due_at, seq) WHERE state = 'waiting';
CREATE INDEX notification_waiting ON notification (incident, route, seq) WHERE state = 'waiting';
CREATE INDEX notification_ended ON notification (created_at) WHERE state <> 'waiting';

ALTER TABLE picture RENAME TO former_picture;
CREATE TABLE picture (
  site TEXT NOT NULL, incident TEXT NOT NULL, route TEXT NOT NULL, taken_at INTEGER NOT NULL, jpeg BLOB NOT NULL,
  PRIMARY KEY (site, incident, route)
) STRICT;
INSERT INTO picture SELECT name, incident, route, at, jpeg
  FROM former_picture AS former JOIN site ON site.id = former.site;
DROP TABLE former_picture;

CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO note SELECT key, value FROM meta WHERE key <> 'owner';
DELETE FROM meta WHERE key <> 'owner';
