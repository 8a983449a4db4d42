import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import { fake, html, only, options, run, SITE, trouble, type Files } from '../../test/runs.ts';
import type { Answer, Get } from '../core/answer.ts';
import { runChecks } from '../core/run.ts';

const status = (code: number, headers = {}): Answer => reply('', { status: code, headers });

const everywhere = (answer: Answer): Files => Object.fromEntries(Object.keys(SITE).map((path) => [path, answer]));

const REFUSED = {
  bundle: ['client-refused'],
  config: ['no-answer'],
  navigation: ['no-answer'],
  home: ['no-answer'],
  'llms-txt': ['no-answer'],
};

/** A host that answers a browser otherwise; the `User-Agent`s that a check sent itself. */
function choosyHost(refused: Answer, served: Files) {
  const [toPrograms, toBrowsers] = [fake({}, refused), fake(served, refused)];
  const agents: string[] = [];
  const get: Get = (request) => {
    const agent = request.headers?.['user-agent'];
    if (agent === undefined) return toPrograms.get(request);
    agents.push(agent);
    return toBrowsers.get(request);
  };
  return { get, agents };
}

describe('a host that refuses this client', () => {
  it.each<{ name: string; answer: Answer; evidence: object; host?: string }>([
    {
      name: 'challenges it',
      answer: status(403, { 'cf-mitigated': 'challenge' }),
      evidence: { refusal: 'challenge', product: 'Cloudflare', status: 403 },
      host: 'Cloudflare',
    },
    {
      name: 'limits its requests',
      answer: status(429, { 'retry-after': '60' }),
      evidence: { refusal: 'rate-limit', status: 429, retryAfter: '60' },
    },
    {
      name: 'asks it to log in',
      answer: status(401, { 'www-authenticate': 'Basic realm="docs"' }),
      evidence: { refusal: 'login', product: 'HTTP Basic', status: 401 },
    },
  ])('$name: one finding, nothing else, and the result is unknown', async ({ answer, evidence, host }) => {
    const report = await run(everywhere(answer));
    expect(trouble(report)).toEqual(REFUSED);
    expect(report.verdict).toBe('unknown');
    expect(report.site.host).toBe(host);
    expect(report.checks[0]?.findings).toMatchObject([{ severity: null, evidence }]);
  });

  it('is reported by the first check of a run without the bundle', async () => {
    const answer = status(403, { 'cf-mitigated': 'challenge' });
    expect(trouble(await run(everywhere(answer), only('home')))).toEqual({ home: ['client-refused'] });
  });

  it.each([status(403), status(406), status(503), noReply('reset')])(
    'refuses an unknown User-Agent, and is asked once with one like a browser’s',
    async (refused) => {
      const { get, agents } = choosyHost(refused, { '/index.html': html('<h1>Docs</h1>') });
      const report = await runChecks(options(get));
      expect(trouble(report)).toEqual(REFUSED);
      expect(report.checks[0]?.findings[0]?.evidence).toMatchObject({ refusal: 'user-agent' });
      expect(agents).toEqual([expect.stringMatching(/^Mozilla\/5\.0 .*docvitals\//)]);
    },
  );
});

describe('a host that refuses visitors, too', () => {
  it.each<{ name: string; refused: Answer; rule: string }>([
    { name: 'forbids everything', refused: status(403), rule: 'forbidden' },
    { name: 'is overloaded', refused: status(503), rule: 'server-error' },
    { name: 'closes the connection', refused: noReply('reset'), rule: 'reset' },
  ])('$name: the site is down', async ({ refused, rule }) => {
    const { get, agents } = choosyHost(refused, {});
    const report = await runChecks(options(get));
    expect(report.verdict).toBe('down');
    expect(trouble(report)).toMatchObject({ bundle: [rule], home: [rule] });
    expect(agents).toHaveLength(1);
  });

  it.each([
    [{ '/index.html': status(429) }, { bundle: ['rate-limited'] }, 'unknown'],
    [{ '/index.html': status(401) }, { bundle: ['forbidden'] }, 'down'],
    [{ '/index.html': status(403) }, { bundle: ['forbidden'] }, 'down'],
    [{ '/index.md': status(401) }, { home: ['forbidden'] }, 'degraded'],
    [{ '/index.md': status(403, { 'cf-mitigated': 'challenge' }) }, { home: ['client-refused'] }, 'unknown'],
  ])('a single file is a fault of its own: %#', async (files, expected, verdict) => {
    const report = await run({ ...SITE, ...files });
    expect(trouble(report)).toEqual(expected);
    expect(report.verdict).toBe(verdict);
  });

  it('is asked nothing more where the site is healthy', async () => {
    const { get, asked } = fake(SITE);
    await runChecks(options(get));
    expect(asked.toSorted()).toEqual(Object.keys(SITE).toSorted());
    expect(new Set(asked).size).toBe(asked.length);
  });
});
