import { describe, expect, it } from 'vitest';
import { css, js, module, page, run, style } from '../../../checks/assets/fixtures/site.ts';

const MIB = 1024 * 1024;
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('assets: large files', () => {
  it('finds the locations of many faults in long texts', async () => {
    const sheet = (name: string): string =>
      `${'/**/\n'.repeat(180_000)}${lines(1_900, (index) => `a{background:url(${name}${index}.png)}`)}`;
    const names = ['a', 'b'];
    const files = Object.fromEntries(names.map((name) => [`${name}.css`, css(sheet(name))]));
    const head = names.map((name) => `<link rel=stylesheet href="${name}.css">`).join('');
    const { findings, gathered } = await run(page(head), files);
    expect(gathered).toMatchObject({ requests: 400 });
    expect(findings).toHaveLength(101);
    expect(findings[99]).toMatchObject({
      location: { path: 'a.css', line: 180_100, column: 14 },
      excerpt: { firstLine: 180_099 },
    });
  });

  it('finds the locations of many faults in a long page', async () => {
    const head = `${'<!---->\n'.repeat(1_200_000)}${lines(500, (index) => `<img src="${index}.png">`)}`;
    const { findings } = await run(page(head));
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)).toEqual({ rule: 'limit-reached', evidence: { left: 100, unread: 0 } });
    expect(findings[1]).toMatchObject({ location: { path: 'index.html', line: 1_200_004, column: 1 } });
  });

  it('finds all locations of one file', async () => {
    const { findings } = await run(page(lines(300, () => '<img src="a.png">')));
    expect(findings).toMatchObject([{ rule: 'image-missing', location: { line: 3 } }]);
    expect(findings[0]?.locations?.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 3),
    );
  });

  it.each([
    {
      name: 'a stylesheet',
      path: 'assets/app.css',
      head: style,
      file: css(`a{background:url(a.png)}/*${'x'.repeat(MIB)}*/b{background:url(b.png)}`),
    },
    {
      name: 'a stylesheet of long letters',
      path: 'assets/app.css',
      head: style,
      file: css(`a{background:url(a.png)}/*${'日'.repeat(MIB)}*/b{background:url(b.png)}`),
    },
    {
      name: 'a stylesheet cut in a name',
      path: 'assets/app.css',
      head: style,
      file: css(`a{background:url(a.png)}${' '.repeat(MIB - 54)}b{background:image-set("${'b'.repeat(99)}.png" 1x)}`),
    },
    {
      name: 'a module',
      path: 'assets/app.js',
      head: module,
      file: js(`import("./a-Ab12Cd34.js");"${'x'.repeat(MIB)}";import("./b-Ab12Cd34.js")`),
    },
  ])('reads the beginning of $name, and says so', async ({ path, head, file }) => {
    const { gathered, findings } = await run(page(head), { [path]: file });
    expect(gathered).toMatchObject({ requests: 2, facts: { cutShort: true } });
    expect(findings).toHaveLength(1);
  });

  it('reads a text of just that length to its end', async () => {
    const text = 'a{background:url(a.png)}';
    const file = css(`${' '.repeat(MIB - text.length)}${text}`);
    const { gathered, findings } = await run(page(style), { 'assets/app.css': file });
    expect(findings.map(({ rule }) => rule)).toEqual(['image-missing']);
    expect(gathered.facts).not.toHaveProperty('cutShort');
  });

  it('takes so many places in all, and says how many are left', async () => {
    const urls = lines(2_000, () => '@import "missing.css";');
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.css`, css(urls)]));
    const head = Object.keys(files).map((path) => `<link rel=stylesheet href="${path}">`);
    const { gathered, findings } = await run(page(head.join('')), files);
    expect(gathered).toMatchObject({ requests: 21, facts: { left: 20 } });
    expect(findings[1]).toMatchObject({ evidence: { left: 20, unread: 20 } });
    expect(findings.map(({ rule }) => rule)).toEqual(['style-missing', 'limit-reached']);
  });

  it('finds where a module names each of many chunks', async () => {
    const chunk = (index: number): string => `chunk-Ab${String(index).padStart(6, '0')}.js`;
    const text = `${'.'.repeat(500_000)}${lines(300, (index) => `import("./${chunk(index)}")`)}`;
    const { findings } = await run(page(module), { 'assets/app.js': js(text) });
    expect(findings.slice(0, 3).map(({ location }) => location)).toEqual([
      { path: 'assets/app.js', line: 1, column: 500_009 },
      { path: 'assets/app.js', line: 2, column: 9 },
      { path: 'assets/app.js', line: 3, column: 9 },
    ]);
  });
});
