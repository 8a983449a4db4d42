-- A database as docvitals wrote it with version 2 of its tables: an open incident with an alert of each state, one that has
-- ended, maintenance, a note and two pictures.
BEGIN TRANSACTION;
CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO site VALUES(1,'docs');
INSERT INTO site VALUES(2,'blog');
CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO word VALUES(1,'bundle');
CREATE TABLE round (
  site INTEGER NOT NULL REFERENCES site, at INTEGER NOT NULL, kind INTEGER NOT NULL,
  duration INTEGER NOT NULL, checks BLOB NOT NULL,
  PRIMARY KEY (site, at, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO round VALUES(1,1795175999950,34,40,X'010100c9010d');
INSERT INTO round VALUES(2,1795176000005,32,40,X'010100c9010d');
CREATE TABLE bucket (
  site INTEGER NOT NULL REFERENCES site, size INTEGER NOT NULL, at INTEGER NOT NULL,
  healthy INTEGER NOT NULL, degraded INTEGER NOT NULL, down INTEGER NOT NULL,
  stale INTEGER NOT NULL, unknown INTEGER NOT NULL, maintenance INTEGER NOT NULL,
  total INTEGER NOT NULL, least INTEGER, most INTEGER, times BLOB,
  PRIMARY KEY (site, size, at)
) STRICT, WITHOUT ROWID;
INSERT INTO bucket VALUES(1,1,29919599,0,0,1,0,0,0,12,12,12,X'1d01');
INSERT INTO bucket VALUES(1,60,29919540,0,0,1,0,0,0,12,12,12,X'1d01');
INSERT INTO bucket VALUES(1,1440,29918880,0,0,1,0,0,0,12,12,12,X'1d01');
INSERT INTO bucket VALUES(2,1,29919600,1,0,0,0,0,0,12,12,12,X'1d01');
INSERT INTO bucket VALUES(2,60,29919600,1,0,0,0,0,0,12,12,12,X'1d01');
INSERT INTO bucket VALUES(2,1440,29918880,1,0,0,0,0,0,12,12,12,X'1d01');
CREATE TABLE state (site INTEGER PRIMARY KEY REFERENCES site, json TEXT NOT NULL) STRICT;
INSERT INTO state VALUES(1,'{"form":2,"verdict":"down","checks":{"bundle":{"status":"pass","at":1795176000000,"scope":"core","findings":[]}},"scopes":{"core":{"at":1795176000000,"goodAt":1795176000000,"upAt":1795176000000,"badAt":null,"suspicion":null},"full":{"at":null,"goodAt":null,"upAt":null,"badAt":null,"suspicion":null},"browser":{"at":null,"goodAt":null,"upAt":null,"badAt":null,"suspicion":null}},"outage":{"incident":{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null},"good":null,"changes":[]},"degradation":{"incident":null,"good":null,"changes":[]},"blips":[],"maintainedUntil":null,"deployments":{"live":null,"version":null,"contents":{}}}');
INSERT INTO state VALUES(2,'{"form":2,"verdict":"healthy","checks":{"bundle":{"status":"pass","at":1795176000000,"scope":"core","findings":[]}},"scopes":{"core":{"at":1795176000000,"goodAt":1795176000000,"upAt":1795176000000,"badAt":null,"suspicion":null},"full":{"at":null,"goodAt":null,"upAt":null,"badAt":null,"suspicion":null},"browser":{"at":null,"goodAt":null,"upAt":null,"badAt":null,"suspicion":null}},"outage":{"incident":null,"good":null,"changes":[]},"degradation":{"incident":null,"good":null,"changes":[]},"blips":[],"maintainedUntil":null,"deployments":{"live":null,"version":null,"contents":{}}}');
CREATE TABLE incident (
  id TEXT PRIMARY KEY, site INTEGER NOT NULL REFERENCES site,
  detected_at INTEGER NOT NULL, recovered_at INTEGER, notified_at INTEGER, same_as TEXT, json TEXT NOT NULL
) STRICT;
INSERT INTO incident VALUES('docs-1',1,1795176000000,NULL,1795176000005,NULL,'{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null}');
INSERT INTO incident VALUES('docs-0',1,1795176000000,1795175940000,NULL,NULL,'{"id":"docs-0","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":1795175940000,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null}');
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  incident TEXT NOT NULL REFERENCES incident ON DELETE CASCADE, route TEXT NOT NULL, event TEXT NOT NULL,
  created_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, last_error TEXT, sent_at INTEGER,
  state INTEGER NOT NULL DEFAULT 0, json TEXT NOT NULL
) STRICT;
INSERT INTO outbox VALUES(1,'docs-1:opened:ops','docs-1','ops','opened',1795176000000,1795176000000,0,NULL,1795176000005,1,'{"incident":{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null},"alsoSites":[]}');
INSERT INTO outbox VALUES(2,'docs-1:opened:chat','docs-1','chat','opened',1795176000000,1795179600000,0,NULL,NULL,0,'{"incident":{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null},"alsoSites":[]}');
INSERT INTO outbox VALUES(3,'docs-1:opened:mail','docs-1','mail','opened',1795176000000,1795176000000,1,'refused',NULL,2,'{"incident":{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null},"alsoSites":[]}');
INSERT INTO outbox VALUES(4,'docs-1:opened:push','docs-1','push','opened',1795176000000,1795176000000,0,NULL,NULL,3,'{"incident":{"id":"docs-1","site":"docs","verdict":"down","checks":["bundle"],"rules":["bundle/status"],"startedAt":1795175990000,"detectedAt":1795176000000,"notifiedAt":null,"recoveredAt":null,"recoveryTimeObjectiveMs":60000,"findings":[{"check":"bundle","rule":"bundle/status","evidence":{"status":503},"location":null}],"deploy":null,"flapping":false,"sameAs":null},"alsoSites":[]}');
CREATE TABLE maintenance (
  id TEXT PRIMARY KEY, site TEXT NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, reason TEXT
) STRICT;
INSERT INTO maintenance VALUES('m','docs',1795176000000,1795179600000,NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('n','text');
CREATE TABLE picture (
  site INTEGER NOT NULL REFERENCES site, incident TEXT NOT NULL, route TEXT NOT NULL,
  at INTEGER NOT NULL, jpeg BLOB NOT NULL,
  PRIMARY KEY (site, incident, route)
) STRICT;
INSERT INTO picture VALUES(1,'docs-1','#/guide',1795176000000,X'010002');
INSERT INTO picture VALUES(1,'','#/guide',1795175999999,X'010002');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('outbox',4);
CREATE INDEX incident_by_time ON incident (detected_at);
CREATE INDEX incident_by_site ON incident (site, detected_at);
CREATE INDEX incident_by_end ON incident (recovered_at, detected_at);
CREATE INDEX incident_same ON incident (same_as) WHERE same_as IS NOT NULL;
CREATE INDEX outbox_by_incident ON outbox (incident, route, seq);
CREATE INDEX outbox_due ON outbox (due_at, seq) WHERE state = 0;
CREATE INDEX outbox_waiting ON outbox (incident, route, seq) WHERE state = 0;
CREATE INDEX outbox_ended ON outbox (created_at) WHERE state <> 0;
CREATE INDEX maintenance_by_end ON maintenance (to_at);
COMMIT;
PRAGMA application_id = 1685021558; PRAGMA user_version = 2;
