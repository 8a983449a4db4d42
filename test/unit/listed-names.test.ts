/** Lists outside the code have what the code has: the engines of `ENGINE_NAMES`, the channels of `CHANNELS`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANNELS } from '../../src/monitor/alerts/channels/index.ts';
import { ENGINE_IDS, ENGINE_NAMES } from '../../src/engines/engine.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** `UPDATE_DOCS=1` writes the lists again. */
function expectGenerated(file: string, list: RegExp, make: (before: string) => string): void {
  const before = read(file);
  expect(before).toMatch(list);
  const after = before.replace(list, make);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path.join(ROOT, file), after);
  expect(read(file)).toBe(after);
}

/** The engines with a name of their own. */
const NAMED = Object.values(ENGINE_NAMES).filter((name) => name !== 'generic');

describe('the engines', () => {
  it.each(['src/report/report.schema.json', 'src/monitor/fleet/queue.schema.json'])('are those of %s', (file) => {
    expectGenerated(file, /(?<="enum": \[)[^\]]*"generic"[^\]]*(?=\])/g, () =>
      ENGINE_IDS.map((id) => `"${id}"`).join(', '),
    );
  });

  it.each(['action.yml', 'src/build/site/reference/texts/action.yaml'])('are those of %s, in each language', (file) => {
    const list = /(?<=(?:Documentation engine|Motorul de documentație|Moteur de documentation) ?: ).*?(?=\. )/g;
    expectGenerated(file, list, (before) => {
      const [, or = 'or'] = / (or|sau|ou) \w+$/.exec(before) ?? [];
      return `${ENGINE_IDS.slice(0, -1).join(', ')} ${or} ${ENGINE_IDS.at(-1)}`;
    });
  });

  it.each(['README.md', 'docs/index.md', 'docs/ro/index.md', 'docs/fr/index.md'])('are named in %s', (page) => {
    const [introduction = ''] = read(page).split(/^## /m);
    expect(NAMED.filter((name) => !introduction.includes(name))).toEqual([]);
  });
});

describe('the channels', () => {
  it.each(['', 'ro/', 'fr/'])('are in the table of docs/%sguides/notifications.md', (language) => {
    const rows = [...read(`docs/${language}guides/notifications.md`).matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, key]) => key,
    );
    expect(rows).toEqual(expect.arrayContaining(CHANNELS.map(({ key }) => key)));
  });
});
