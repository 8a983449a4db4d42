/** The feed: well-formed, and what its specification demands (RFC 4287). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StatusSource } from './data.ts';
import { documentAt } from './routes.ts';
import { LANGUAGES, type Language } from '../../locales/language.ts';
import { HOSTILE_ROWS } from '../../../test/reports/hostile.ts';
import { judgedBy, toolWanted } from '../../../test/reports/tools.ts';
import { DAY, failing, HOUR, incident, MINUTE, site, source, state, watched } from '../../../test/page/sample.ts';

const findings = [failing('config', 'syntax'), failing('config', 'syntax')];
const INCIDENTS = [
  incident('docs', MINUTE, null, { findings }),
  incident('docs', 2 * DAY, 41_300),
  incident('gone', 3 * DAY, HOUR, { verdict: 'stale', checks: ['source'] }),
];
const sites = [watched(site('docs', { title: 'Docs & <more>' }), state('down', findings))];

function monitor(url: string | null): StatusSource {
  return source(sites, { incidents: INCIDENTS }, { title: 'A & B <status>', url });
}

async function feedOf(of: StatusSource, language: Language = 'en'): Promise<string> {
  return (await documentAt('feed.atom', language, of, { as: 'served' })).body;
}

/** Texts of elements and attributes `href`, by the names of the elements from the root on. */
function values(xml: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const way: string[] = [];
  let text = '';
  const add = (value: string): void => {
    const name = way.join('/');
    found.set(name, [...(found.get(name) ?? []), value]);
  };
  const parser = new Parser(
    {
      onopentag(name, { href }) {
        way.push(name);
        if (href !== undefined) add(href);
      },
      // A text with entities comes in pieces.
      ontext: (piece) => (text += piece),
      onclosetag() {
        if (text.trim() !== '') add(text.trim());
        text = '';
        way.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return found;
}

const ADDRESSES = [null, 'https://status.example.com/base'];

/** A monitor that has a text in every place of a feed. */
const saying = (text: string): StatusSource =>
  source(
    [watched(site('docs', { title: text }), state('healthy'))],
    { incidents: [incident('docs', DAY, MINUTE, { checks: [text], findings: [failing(text, text)] })] },
    { title: text },
  );

describe('feeds', () => {
  // One process for all of them.
  it.runIf(toolWanted('xmllint', '--version'))(
    'are well-formed in every language, at any address and with hostile texts',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-feeds-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files: string[] = [];
      const add = async (name: string, of: StatusSource, language?: Language) => {
        const file = `${name.replaceAll(/[^\w-]/g, '-')}.atom`;
        files.push(file);
        writeFileSync(path.join(folder, file), await feedOf(of, language));
      };
      for (const language of LANGUAGES)
        for (const [index, url] of ADDRESSES.entries()) await add(`${language}-${index}`, monitor(url), language);
      for (const { name, text } of HOSTILE_ROWS) await add(`hostile ${name}`, saying(text));
      expect(new Set(files).size).toBe(files.length);
      const paths = files.map((file) => path.join(folder, file));
      expect(judgedBy('xmllint', ['--noout', '--nonet', ...paths])).toEqual({ status: 0, said: '' });
    },
  );

  it('report each incident and each recovery, newest first', async () => {
    const atom = values(await feedOf(monitor('https://status.example.com/base')));
    const times = atom.get('feed/entry/updated') ?? [];
    expect(times.length).toBe(5);
    expect(times.toSorted().toReversed()).toEqual(times);
    expect(atom.get('feed/updated')).toEqual([times[0]]);
    expect(atom.get('feed/entry/title')?.[0]).toContain('Docs ');
  });

  it.each(LANGUAGES)('have ids that stay, and are no other entry’s, in %s', async (language) => {
    const first = values(await feedOf(monitor(null), language));
    const again = values(await feedOf({ ...monitor(null), now: monitor(null).now + HOUR }, language));
    const ids = [...(first.get('feed/id') ?? []), ...(first.get('feed/entry/id') ?? [])];
    expect(new Set(ids).size).toBe(6);
    expect(
      ids.filter((id) => !/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toEqual([]);
    expect(again.get('feed/entry/id')).toEqual(first.get('feed/entry/id'));
  });

  it('have what RFC 4287 demands', async () => {
    for (const url of [null, 'https://status.example.com/base']) {
      const atom = values(await feedOf(monitor(url)));
      const required = ['feed/id', 'feed/title', 'feed/updated', 'feed/author/name', 'feed/link'];
      expect(required.filter((name) => !atom.has(name))).toEqual([]);
      const entries = ['id', 'title', 'updated', 'link', 'content'].map(
        (name) => atom.get(`feed/entry/${name}`)?.length,
      );
      expect(entries).toEqual([5, 5, 5, 5, 5]);
    }
  });

  it('lead to absolute addresses where it is known where the page is', async () => {
    const atom = values(await feedOf(monitor('https://status.example.com/base'), 'fr'));
    expect(atom.get('feed/link')).toEqual([
      'https://status.example.com/base/fr/feed.atom',
      'https://status.example.com/base/fr/',
    ]);
    expect(atom.get('feed/entry/link')?.[0]).toMatch(/^https:\/\/status\.example\.com\/base\/fr\/incidents\/docs-/);
  });

  it('lead to the page beside them where nobody knows its address', async () => {
    const atom = values(await feedOf(monitor(null)));
    expect(atom.get('feed/link')).toEqual(['feed.atom', './']);
    expect(atom.get('feed/entry/link')?.[0]).toMatch(/^incidents\/docs-/);
  });

  it('are feeds without any incident, too', async () => {
    const atom = await feedOf(source(sites));
    expect(values(atom).get('feed/updated')).toEqual(['1970-01-01T00:00:00.000Z']);
  });
});
