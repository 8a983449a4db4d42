/** Which store the name of a database selects, and how it is shown. */

/** Whether a database is on a PostgreSQL server; otherwise its name is that of a file. */
export function isPostgres(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name);
}

/** The name of a database without its password, for people and logs. */
export function shownDatabase(name: string): string {
  if (!isPostgres(name)) return name;
  const url = URL.parse(name);
  // What cannot be read may have a password anywhere.
  if (url === null) return 'postgres://…';
  url.password = '';
  // Parameters may contain a password too, and are not needed to recognise a database.
  url.search = '';
  url.hash = '';
  return url.href;
}
