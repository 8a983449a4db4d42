/** What pages and the terminal show of a site that several locations check. */
import { describe, expect, it } from 'vitest';
import { fleetDocument } from './fleet-document.ts';
import type { Member } from './fleet/members.ts';
import { pageContextOf } from './page/page.ts';
import { gatherOverview } from './page/data.ts';
import { pageWords } from '../generated/locales/page.ts';
import { documentAt } from './page/routes.ts';
import { fleetTable, statusDocument, statusTable } from './page/terminal.ts';
import { makeStyle } from '../report/terminal.ts';
import { LANGUAGES, type Language } from '../locales/language.ts';
import { NOW, SECOND } from '../../test/page/sample.ts';
import { SCENES, type SceneName } from '../../test/page/scenes.ts';

/** The text of a page, a space for each tag. */
async function textOf(name: SceneName, language: Language = 'en'): Promise<string> {
  const { source, place } = SCENES[name];
  const { body } = await documentAt(place, language, source, { as: 'files' });
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? [];
  return main.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('the pages', () => {
  it.each(Object.keys(pageWords('en').troubles).filter((trouble) => trouble !== 'other'))(
    'have a sentence for the problem %s of the monitor, in each language',
    async (trouble) => {
      const source = { ...SCENES.located.source, troubles: [trouble] };
      for (const language of LANGUAGES) {
        const { body } = await documentAt('', language, source, { as: 'files' });
        expect(body).toMatch(/<ul class="troubles"><li>.*\S\.<\/li><\/ul>/);
        expect(body).not.toContain(trouble);
      }
    },
  );

  it.each([
    ['en', 'Degraded from Paris', 'Fails from Paris only', 'Silent', 'Cut off', 'A location has no runner'],
    ['ro', 'Degradat din Paris', 'numai din Paris', 'Fără rezultate', 'Fără rețea', 'nu are niciun runner'],
    ['fr', 'Dégradé depuis Paris', 'depuis Paris seulement', 'Muet', 'Hors réseau', 'aucun exécuteur'],
  ] as const)('say in %s which locations see a failure, and which see nothing', async (language, ...texts) => {
    const [word, note, silent, cutOff, trouble] = texts;
    const overview = await textOf('located', language);
    expect(overview).toContain(word);
    expect(overview).toContain(trouble);
    const page = await textOf('located-site', language);
    for (const text of [note, silent, cutOff]) expect(page).toContain(text);
  });

  it('have a row for each location below each check', async () => {
    const page = await textOf('located-site');
    const table = page.slice(page.indexOf('Check Result Response time'));
    expect(table).toMatch(/bundle: Paris Fail 61 ms .*bundle: Bucharest Pass 143 ms .*bundle: Tokyo Cut off – /);
    expect(table).toMatch(/bundle: Lima Silent 208 ms 20 Nov, 17:50:12 UTC/);
  });

  it('show the uptime and the response times of each location, on one scale', async () => {
    const { source, place } = SCENES['located-site'];
    const { body } = await documentAt(place, 'en', source, { as: 'files' });
    const cards = body.split('<ul class="locations">')[1]?.split('<li class="card">').slice(1) ?? [];
    expect(cards.map((card) => /<h3>(.*?)<\/h3>/.exec(card)?.[1])).toEqual([
      'Paris',
      'Bucharest',
      'Tokyo',
      'Lima',
      'Nairobi',
    ]);
    expect(cards[0]).toMatch(/aria-label="Last 75 days: 99.\d+% up/);
    expect(cards[1]).toContain('<strong>100% up</strong>');
    const scales = cards.flatMap((card) => /<div class="scale"[^>]*>(.*?)<\/div>/.exec(card)?.[1] ?? []);
    expect(scales.length).toBe(4);
    expect(new Set(scales).size).toBe(1);
  });

  it('name the locations of an incident by their titles', async () => {
    expect(await textOf('located-incident')).toContain('Seen from: Paris, Lima, gone');
  });

  it('have nothing of it where one machine checks the sites', async () => {
    const { source, place } = SCENES.site;
    const { body } = await documentAt(place, 'en', source, { as: 'files' });
    expect(body).toContain('<table class="checks">');
    expect(body).not.toMatch(/location/i);
  });
});

const member = (rest: Partial<Member>): Member => ({
  id: 'runner-1',
  role: 'runner',
  location: 'paris',
  version: '1.2.3',
  host: 'machine',
  pid: 7,
  startedAt: NOW - 60 * SECOND,
  silentMs: 1_000,
  running: 2,
  acting: true,
  problems: [],
  ...rest,
});

describe('docvitals status', () => {
  const { source } = SCENES.located;
  const members = [
    member({ id: 'c-1', role: 'coordinator', location: null, running: 0, problems: ['location-silent'] }),
    member({ id: 'c-2', role: 'coordinator', location: null, running: 0, acting: false }),
    member({}),
    member({ location: 'tokyo', pid: 8, problems: ['no-network'], silentMs: 30 * SECOND }),
  ];
  const backlog = new Map([['tokyo', 12]]);
  const fleetOf = (reading: Promise<ReadonlyMap<string, number>>) =>
    fleetDocument({ members: () => members, backlog: () => reading }, source.settings.locations, NOW);

  async function printed(language: Language, reading = Promise.resolve(backlog)): Promise<string> {
    const context = await pageContextOf(source, '', language, { as: 'served' });
    const style = makeStyle(false);
    const data = await gatherOverview(source);
    return statusTable(data, style, context) + fleetTable(await fleetOf(reading), style, context);
  }

  it('lists sites, runners and coordinators', async () => {
    const text = await printed('en');
    expect(text).toMatch(/^Degraded from Paris {2}docs/m);
    expect(text).toMatch(/^Paris +machine \(7\) +1\.2\.3 +1 second ago +2 +0$/m);
    expect(text).toMatch(/^Tokyo +machine \(8\) +1\.2\.3 +30 seconds ago +2 +12$/m);
    expect(text).toMatch(/^Lima +no runner +0$/m);
    expect(text).toMatch(/^coordinator, acts /m);
    expect(text).toMatch(/^coordinator, stands by /m);
    expect(text).toContain('A location has no runner');
    expect(await printed('fr')).toContain('coordinateur, en attente');
    expect(await printed('ro')).toContain('niciun runner');
  });

  it('is printed without a backlog that may not be read', async () => {
    expect(await printed('en', Promise.reject(new Error('permission denied')))).toMatch(/^Paris .* 2 +–$/m);
  });

  it('has the same as JSON, and nothing of it without a fleet', async () => {
    const data = await gatherOverview(source);
    const document = statusDocument(data, await fleetOf(Promise.resolve(backlog)));
    expect(document.sites[0]).toMatchObject({ verdict: 'degraded', failingFrom: ['paris'] });
    expect(document.fleet?.locations).toMatchObject([
      { id: 'paris', runners: 1, backlog: 0 },
      { id: 'bucharest', runners: 0, backlog: 0 },
      { id: 'tokyo', runners: 0, backlog: 12 },
      { id: 'lima', runners: 0 },
      { id: 'nairobi', runners: 0 },
    ]);
    expect(document.fleet?.members[3]).toMatchObject({
      role: 'runner',
      location: 'tokyo',
      heartbeatAt: '2026-11-20T17:59:42.000Z',
      alive: false,
      running: 2,
      problems: ['no-network'],
    });
    expect(statusDocument(data, null)).not.toHaveProperty('fleet');
  });
});
