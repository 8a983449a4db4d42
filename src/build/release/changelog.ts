/** How a changeset reads in CHANGELOG.md: as its author wrote it, without the commit, since it is read by users. */
interface Changeset {
  readonly summary: string;
}

const changelog = {
  /** @returns the summary as list items: a summary that is a list stays one, any other becomes one item */
  getReleaseLine({ summary }: Changeset): string {
    const lines = summary.trim().split('\n');
    if (lines[0]?.startsWith('- ')) return lines.join('\n');
    return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`.trimEnd()).join('\n');
  },

  /** There is one package, so none depends on another. */
  getDependencyReleaseLine(): string {
    return '';
  },
};

// oxlint-disable-next-line import/no-default-export -- changesets asks for it
export default changelog;
