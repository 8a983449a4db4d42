/** A section of a changelog: its heading without `## `, and what stands below it. */
interface Section {
  readonly heading: string;
  readonly body: string;
}

/** The version of the heading that ends in `(Unreleased)`, if there is one. */
export function unreleasedVersion(changelog: string): string | undefined {
  return /^## (\d\S*) \(Unreleased\)$/m.exec(changelog)?.[1];
}

/**
 * Joins what was written by hand under a heading that ends in `(Unreleased)` with the section that changesets made:
 * the text by hand comes first, as the introduction, and its heading goes.
 *
 * @param changelog the whole file, newest version first
 * @returns the same text if there is nothing to join
 */
export function withUnreleased(changelog: string): string {
  const [preamble = '', ...parts] = changelog.split(/^## /m);
  const sections = parts.map((part): Section => {
    const [heading = '', ...lines] = part.split('\n');
    return { heading, body: lines.join('\n').trim() };
  });
  const written = sections.find(({ heading }) => heading.endsWith('(Unreleased)'));
  const made = sections.find((section) => section !== written);
  if (!written || !made) return changelog;
  const joined = sections
    .filter((section) => section !== written)
    .map(({ heading, body }) => {
      const whole = heading === made.heading ? `${written.body}\n\n${body}` : body;
      return `## ${heading}\n\n${whole}\n`;
    });
  return `${preamble}${joined.join('\n')}`;
}
