/** What `--source` names cannot be read. Its message is a short detail in the system's or Git's own words. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
