import { describe, expect, it } from 'vitest';
import { hostileMessage, messageFor, strings } from '../../../test/alerts/messages.ts';
import { HOUR, incidentOf, MINUTE, SECOND, siteOf, SIX } from '../../../test/alerts/samples.ts';
import { LANGUAGES } from '../../locales/language.ts';
import { loadTexts } from '../../report/texts.ts';
import { refusedAlert } from './alert.ts';
import { toneOf } from './channels/webhook.ts';
import type { Message } from './message.ts';

describe('the end of an outage of a site that is degraded', () => {
  it.each(LANGUAGES)('says so, and is no good news, in %s', async (language) => {
    const ended = { event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) } as const;
    const [well, degraded] = [
      await messageFor(ended, language),
      await messageFor({ ...ended, goesOn: 'degraded' }, language),
    ];
    expect([toneOf(well), toneOf(degraded)]).toEqual(['good', 'warning']);
    expect(degraded.subject).not.toBe(well.subject);
    expect(degraded.lines).toEqual([degraded.words.meaning.degraded, ...well.lines]);
  });
});

describe('the message', () => {
  it('of a recovery says how long it took, and whether that is within the objective', async () => {
    const met = await messageFor({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) });
    expect(met.lines[0]).toBe('recovered in 41 s, recovery time objective 60 s: met');
    expect(met.findings).toEqual([]);
    const missed = await messageFor({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 50_400 }) });
    expect(missed.lines[0]).toBe('recovered in 60.4 s, recovery time objective 60 s: missed');
  });

  it.each(LANGUAGES)('names in %s the site, what fails and what to do', async (language) => {
    const { subject, findings, site } = await messageFor({}, language);
    expect(subject).toContain('Handbook');
    expect(site).toEqual({ id: 'docs', title: 'Handbook', url: 'https://docs.example.com/' });
    const { problem, fix } = (await loadTexts(language)).finding('config', 'trailing-comma') ?? {};
    const label = { en: 'Text', ro: 'Text', fr: 'Texte\u00a0' }[language];
    expect(findings).toMatchObject([{ problem, fix, evidence: ['config.json:3:5', `${label}: {"a":1,}`] }]);
  });

  it.each(LANGUAGES)(
    'of a host that refuses the monitor names in %s the site, and how to let the monitor in',
    async (language) => {
      const evidence = { refusal: 'challenge', product: 'Cloudflare', status: 403 };
      const refusal = {
        since: SIX,
        pauseMs: MINUTE,
        check: 'bundle',
        evidence,
        host: 'Cloudflare',
        notified: [],
      } as const;
      const alert = refusedAlert(siteOf({ title: 'Handbook' }), refusal, 'ops');
      const { subject, lines, findings, words } = await messageFor(alert, language);
      expect(subject).toContain('Handbook');
      expect(lines).toEqual([words.notices.refused.meaning]);
      expect(findings[0]?.evidence.join()).toContain('Cloudflare');
      expect(findings[0]?.fix).toContain('Bot Fight Mode');
      expect(findings[0]?.fix).not.toContain('Netlify');
    },
  );

  it('that tries out a route is marked', async () => {
    expect((await messageFor({ test: true })).subject).toMatch(/^\[TEST\] /);
  });

  it('has no control and no bidi character', async () => {
    const { words: _, incident: __, ...told } = await hostileMessage();
    for (const text of strings(told)) expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

it('says how long an incident lasts', async () => {
  const since = (ms: number): Promise<Message> =>
    messageFor({ event: 'reminder', incident: incidentOf({ startedAt: SIX + 45 * SECOND - ms }) });
  const subjects = await Promise.all([5 * MINUTE + 3 * SECOND, 3 * HOUR, 50 * HOUR].map(since));
  const lasting = ['5 min 3 s', '3 h', '2 d 2 h'];
  expect(subjects.map(({ subject }, index) => subject.includes(lasting[index] ?? '?'))).toEqual([true, true, true]);
});
