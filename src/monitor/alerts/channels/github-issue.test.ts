import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Alert, SendResult } from '../alert.ts';
import { createSend } from '../send.ts';
import { startGitHub, written, type FakeGitHub } from '../../../../test/github.ts';
import { incidentOf, routeOf, SECOND, siteOf, SIX } from '../../../../test/alerts/samples.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const send = createSend({
  settings: () => ({ sites: [siteOf()], page: { title: null, url: null, language: 'en' } }),
  env: {},
  now: () => SIX,
});

function tell(alert: Partial<Alert> = {}): Promise<SendResult> {
  const route = routeOf({
    channel: { kind: 'github-issue', repository: 'octocat/handbook', token: 't0ken', label: 'outage', api: github.url },
  });
  const event = alert.event ?? 'opened';
  const whole = { key: `k:${event}:ops`, event, incident: incidentOf(), alsoSites: [], ...alert };
  return send(route, whole, new AbortController().signal);
}

const recovered = { event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) } as const;

describe('an incident as an issue', () => {
  it('is opened, kept up to date, commented on when it changes, and closed', async () => {
    const { findings } = incidentOf();
    const more = [...findings, { check: 'home', rule: 'home/not-found', evidence: {}, location: null }];
    const results = [
      await tell(),
      await tell({ event: 'reminder' }),
      await tell({ event: 'reminder', incident: incidentOf({ findings: more }) }),
      await tell(recovered),
    ];
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ ok: true, status: null })));
    expect(written(github)).toEqual([
      'POST /repos/octocat/handbook/issues',
      'PATCH /repos/octocat/handbook/issues/1',
      'PATCH /repos/octocat/handbook/issues/1',
      'POST /repos/octocat/handbook/issues/1/comments',
      'PATCH /repos/octocat/handbook/issues/1',
      'POST /repos/octocat/handbook/issues/1/comments',
    ]);
    const [issue] = github.issues;
    expect(issue).toMatchObject({ state: 'closed', state_reason: 'completed', labels: ['outage'] });
    expect(issue?.body).toContain('config/trailing-comma');
    expect(github.comments[0]?.body).toContain('`home/not-found`');
    expect(github.asked[0]?.authorization).toBe('Bearer t0ken');
  });

  it('sent twice is one issue', async () => {
    await tell();
    await tell();
    expect(github.issues).toHaveLength(1);
  });

  it('is another one for an outage of a site that is degraded, and closed in its own time', async () => {
    const incident = incidentOf({ id: 'docs-before', verdict: 'degraded' });
    await tell({ incident });
    await tell();
    await tell({ ...recovered, goesOn: 'degraded' });
    expect(github.issues.map(({ state }) => state)).toEqual(['open', 'closed']);
    await tell({ event: 'recovered', incident });
    expect(github.issues.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });

  it('is apart from that of a test', async () => {
    await tell();
    await tell({ test: true });
    await tell({ ...recovered, test: true });
    expect(github.issues.map(({ state }) => state)).toEqual(['open', 'closed']);
  });

  it('mentions nobody, whatever the site sends', async () => {
    const hostile = '@everyone <img src=x> `</code>` https://evil.example/ #1';
    const findings = [{ check: 'config', rule: 'config/syntax', evidence: { found: hostile }, location: null }];
    await tell({ incident: incidentOf({ findings, deploy: { version: hostile, before: null, seenAt: SIX } }) });
    const outside = github.issues[0]?.body.replaceAll(/(`+)(?!`).*?[^`]\1(?!`)/g, '');
    expect(outside).not.toMatch(/@everyone|<img/);
  });

  it.each([
    { name: 'a token that is none', refusal: { status: 401, message: 'Bad credentials' }, permanent: true },
    { name: 'a repository that is not there', refusal: { status: 404, message: 'Not Found' }, permanent: true },
    { name: 'issues that are off', refusal: { status: 410, message: 'Issues are disabled' }, permanent: true },
    { name: 'GitHub being ill', refusal: { status: 502, message: '' }, permanent: false },
  ])('does not come about for $name', async ({ refusal, permanent }) => {
    // Requests that read are sent again after a second.
    github.refuse = ({ method }) => (method === 'POST' ? refusal : null);
    const result = await tell();
    expect(result).toMatchObject({ ok: false, permanent });
    expect(JSON.stringify(result)).not.toContain('t0ken');
  });
});
