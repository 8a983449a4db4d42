/** Every page in every language, taken apart: what stands in it is ours, or escaped. */
import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StatusSource } from './data.ts';
import { documentAt } from './routes.ts';
import { LANGUAGES, type Language } from '../../locales/language.ts';
import { HOSTILE_ROWS } from '../../../test/reports/hostile.ts';
import {
  DAY,
  failing,
  HOUR,
  incident,
  MINUTE,
  NOW,
  SECOND,
  site,
  source,
  state,
  watched,
} from '../../../test/page/sample.ts';
import { SCENE_NAMES, SCENES, type Scene } from '../../../test/page/scenes.ts';
import { anyEvidence } from '../../../test/reports.ts';
import { openState } from '../../../test/monitor/incident/state.ts';

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A page in pieces. */
function takenApart(html: string): { readonly tags: readonly Tag[]; readonly text: string } {
  const tags: Tag[] = [];
  let text = '';
  const parser = new Parser({
    onopentag: (name, attributes) => void tags.push({ name, attributes }),
    ontext: (piece) => (text += piece),
  });
  parser.end(html);
  return { tags, text };
}

async function pageOf({ source: of, place }: Scene, language: Language = 'en'): Promise<string> {
  return (await documentAt(place, language, of, { as: 'served' })).body;
}

/** A thousand sites take a second, and differ from three in nothing but number: one language. */
const ROWS = SCENE_NAMES.flatMap((name) =>
  (name === 'thousand' ? (['en'] as const) : LANGUAGES).map((language) => ({ name, language })),
);

describe('every page', () => {
  it.each(ROWS)(
    '$name in $language has nothing that runs, leads nowhere by surprise, and has landmarks',
    async ({ name, language }) => {
      const { tags } = takenApart(await pageOf(SCENES[name], language));
      const names = new Set(tags.map((tag) => tag.name));
      for (const forbidden of ['script', 'style', 'iframe', 'object', 'form', 'img'])
        expect(names).not.toContain(forbidden);
      const attributes = tags.flatMap((tag) => Object.entries(tag.attributes));
      expect(attributes.filter(([attribute]) => attribute === 'style' || attribute.startsWith('on'))).toEqual([]);
      const links = attributes.filter(([attribute]) => attribute === 'href').map(([, href]) => href);
      const schemes = new Set(links.map((href) => /^[a-z][a-z0-9+.-]*:/i.exec(href)?.[0]));
      expect([...schemes].filter((scheme) => ![undefined, 'http:', 'https:', 'data:'].includes(scheme))).toEqual([]);

      const of = (wanted: string): readonly Tag[] => tags.filter((tag) => tag.name === wanted);
      expect([of('h1').length, of('main').length]).toEqual([1, 1]);
      expect(of('html')[0]?.attributes['lang']).toBe(language);
      const ids = tags.flatMap(({ attributes: { id } }) => id ?? []);
      const known = new Set(ids);
      expect(known.size).toBe(ids.length);
      const named = tags.flatMap(({ attributes: { 'aria-labelledby': by } }) => by ?? []);
      expect(named.filter((id) => !known.has(id))).toEqual([]);
      const others = of('link').flatMap(({ attributes: { hreflang } }) => hreflang ?? []);
      expect(others).toEqual([...LANGUAGES]);
      expect(of('time').filter(({ attributes: { datetime = '' } }) => Number.isNaN(Date.parse(datetime)))).toEqual([]);
    },
  );

  it('shows of one cause only what all checks have seen', async () => {
    const refused = ['bundle', 'config', 'home'].map((check) =>
      failing(check, 'refused', {
        evidence: { host: '192.0.2.7:443', ...(check === 'home' ? { setting: 'homePage', value: 'start.md' } : {}) },
      }),
    );
    const opened = incident('docs', MINUTE, null, { findings: refused, checks: refused.map(({ check }) => check) });
    const down = watched(site('docs'), state('down', refused, openState(opened)));
    const { text } = takenApart(await pageOf({ source: source([down]), place: '' }));
    expect(text.match(/192\.0\.2\.7:443/g)).toHaveLength(1);
    expect(text).not.toContain('start.md');
  });

  it('stays small, however many sites there are', async () => {
    const html = await pageOf(SCENES.thousand);
    expect(html.length).toBeLessThan(1_000_000);
    expect(takenApart(html).tags.filter(({ attributes: { href = '' } }) => href.startsWith('sites/')).length).toBe(
      1000,
    );
  });

  it('is there when the database is not', async () => {
    const places = ['', 'history/', 'sites/docs/', 'feed.atom', 'badge/docs.svg'];
    const documents = await Promise.all(
      places.map((place) => documentAt(place, 'fr', SCENES.unreadable.source, { as: 'served' })),
    );
    expect(documents.map(({ status }) => status)).toEqual(places.map(() => 200));
  });

  it('reports files nothing that is true only now', async () => {
    const { source: of, place } = SCENES['all-kinds'];
    const { body: text } = await documentAt(place, 'en', of, { as: 'files' });
    const { tags } = takenApart(text);
    expect(tags.filter(({ attributes }) => ['ago', 'aged'].includes(attributes['class'] ?? ''))).toEqual([]);
    const folders = tags.flatMap(({ name, attributes: { href = '' } }) =>
      name === 'a' && /(?:^|\/)$/.test(href) ? [href] : [],
    );
    expect(folders.filter((href) => !href.startsWith('http'))).toEqual([]);
  });
});

/** A monitor in which a text stands everywhere that a site, a deploy or a configuration has a say in. */
function saying(text: string): StatusSource {
  const evidence = anyEvidence({ message: text, list: [text], [text === '__proto__' ? 'proto' : text]: text });
  const found = failing('config', 'syntax', { evidence, location: { path: text, line: 1, column: 1 } });
  const open = incident('docs', MINUTE, null, {
    findings: [found, failing('config', text, { evidence })],
    checks: ['config', text],
    rules: [`config/${text}`],
    deploy: { version: text, before: text, seenAt: NOW },
  });
  const over = { ...incident('docs', DAY, MINUTE), site: text };
  const docs = {
    ...watched(site('docs', { title: text, tags: [text] }), state('down', [found], openState(open))),
    // An address of the web would be one to follow.
    url: `x${text}`,
  };
  const other = watched(site('api'), state('healthy'), { from: NOW - MINUTE, to: NOW + MINUTE, reason: `r${text}` });
  return source([docs, other], { incidents: [over] }, { title: text }, { troubles: [text] });
}

/** What is made of a page is the same whatever it says. */
const shapeOf = ({ tags }: ReturnType<typeof takenApart>): readonly string[] =>
  tags.map(({ name, attributes }) => `${name} ${Object.keys(attributes).join(' ')}`);

describe('what others have a say in', () => {
  const PLACES = ['', 'sites/docs/', 'history/'];
  const plain = new Map<string, readonly string[]>();
  beforeAll(async () => {
    for (const place of PLACES) plain.set(place, shapeOf(takenApart(await pageOf({ source: saying('plain'), place }))));
  });

  it.each(HOSTILE_ROWS)('is shown and does nothing: $name', async ({ text }) => {
    for (const place of PLACES) {
      const page = takenApart(await pageOf({ source: saying(text), place }));
      expect(shapeOf(page)).toEqual(plain.get(place));
      // Line feeds are those between our own tags.
      expect(/[^\P{C}\n]/u.test(page.text)).toBe(false);
    }
  });

  it.each([
    ['javascript:alert(1)', []],
    ['data:text/html,x', []],
    ['file:///etc/passwd', []],
    ['ftp://docs.test/', []],
    ['https://user:pass@docs.test/', []],
    ['https://docs.test/', ['https://docs.test/']],
    ['http://docs.test/a"b/', ['http://docs.test/a%22b/']],
  ])('%j leads out of the page to %j', async (url, links) => {
    const docs = { ...watched(site('docs'), state('healthy')), url };
    const html = await pageOf({ source: source([docs]), place: 'sites/docs/' });
    const hrefs = takenApart(html).tags.flatMap(({ name, attributes: { href = '' } }) => (name === 'a' ? href : []));
    expect(hrefs.filter((href) => /^[a-z]+:/i.test(href))).toEqual(links);
  });
});

describe('an outage of a site', () => {
  it.each(['overview', 'site'] as const)(
    'with a defect under it is told first, on the page of the %s',
    async (kind) => {
      const down = incident('docs', MINUTE, null);
      const under = incident('docs', HOUR, null, { verdict: 'degraded' });
      const running = source([
        watched(site('docs'), state('down', [], openState(down, under))),
        watched(site('api'), state('degraded', [], openState(incident('api', SECOND, null, { verdict: 'degraded' })))),
      ]);
      const place = kind === 'site' ? 'sites/docs/' : '';
      const ids = [...(await pageOf({ source: running, place })).matchAll(/<h3 id="_([a-z]+-\d+[^"]*)"/g)].map(
        ([, id]) => id,
      );
      expect(ids.filter((id) => id?.startsWith('docs'))).toEqual([down.id, under.id]);
      expect(ids[0]).toBe(down.id);
    },
  );
});
