/** The reference of the library is what the package exports. */
import { describe, expect, it } from 'vitest';
import { exportsOfLibrary, type Exported } from './library.ts';
import { expectPart } from './pages.ts';

const all = exportsOfLibrary();

/** The type of the configuration file, whose keys have a reference of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['ConfigFile']);

/** Its comment and its declaration; the comments of a declaration explain its members. */
function section({ name, about, declaration }: Exported): string {
  const comment = about.includes('\n') ? `/**\n * ${about.replaceAll('\n', '\n * ')}\n */` : `/** ${about} */`;
  const members = ELSEWHERE.has(name) ? `${declaration.split('\n', 1)[0]} … }` : declaration;
  // The compiler indents by four spaces, and names a type of another file by its path.
  const text = members
    .replaceAll(/^ +/gm, (spaces) => ' '.repeat(spaces.length / 2))
    .replaceAll(/import\("[^"]+"\)\./g, '');
  return `### \`${name}\`\n\n\`\`\`ts\n${comment}\n${text}\n\`\`\`\n`;
}

describe('the reference of the library', () => {
  it('has a comment for everything that is exported', () => {
    expect(all.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([]);
  });

  it('names everything once', () => {
    const names = all.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(['checkSite', 'waitForSite', 'Report', 'Finding', 'ConfigFile']));
  });

  it('has values and types', async () => {
    for (const [part, isValue] of [
      ['values', true],
      ['types', false],
    ] as const) {
      const sections = all.filter((one) => one.isValue === isValue).map(section);
      await expectPart('docs/library.md', part, () => ({ text: `\n${sections.join('\n')}\n` }));
    }
  });
});
