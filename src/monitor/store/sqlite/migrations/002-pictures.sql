-- `incident` is empty where the picture is a good one.
CREATE TABLE picture (
  site INTEGER NOT NULL REFERENCES site, incident TEXT NOT NULL, route TEXT NOT NULL,
  at INTEGER NOT NULL, jpeg BLOB NOT NULL,
  PRIMARY KEY (site, incident, route)
) STRICT;
