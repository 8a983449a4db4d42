/** The end of a run over a whole site that is healthy, at every moment that there is: nothing is held against the site. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { Get } from '../../src/core/answer.ts';
import type { Report } from '../../src/core/check.ts';
import { Ended } from '../../src/http/failure.ts';
import { readUntrusted, type ReadInWorker } from '../../src/parse/untrusted.ts';
import { runChecks } from '../../src/core/run.ts';
import { noReply, reply } from '../answers.ts';
import { fake, html, json, options, text, type Files } from '../runs.ts';

const PAGE = '# Page\n\nText, and [another](guide.md).\n';
const BUNDLE =
  '<!doctype html><html lang="en"><title>Docs</title><div id="verti-app"></div><script src="engine.js"></script>';
const FILES: Files = {
  '/index.html': html(BUNDLE),
  '/engine.js': reply('start()', { contentType: 'text/javascript' }),
  '/': html(BUNDLE),
  '/config.json': json({ locales: [{ code: 'ro', prefix: 'ro' }] }),
  '/navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n',
  '/index.md': PAGE,
  '/guide.md': `${PAGE}\n[plain](notes)\n`,
  // The engine requests notes/index.md first: what the link means is found at the second try.
  '/notes.md': '# Notes\n',
  '/ro/navigation.md': '- [Acasă](index.md)\n- [Ghid](guide.md)\n',
  '/ro/index.md': PAGE,
  '/ro/guide.md': PAGE,
  '/llms.txt': text('# Handbook\n\n> Boats.\n\n## Docs\n\n- [Guide](guide.md)\n- [More](more.md)\n'),
  '/more.md': PAGE,
};

/** Where a run ends: with the nth request or text, before its answer or after it. */
interface Moment {
  readonly at: 'request' | 'answer' | 'text';
  readonly count: number;
  readonly by: Ended;
}

interface Steps {
  requests: number;
  texts: number;
}

/** A run that is ended; `steps` counts what it does until then. */
async function runTo(moment: Moment | null, steps: Steps = { requests: 0, texts: 0 }): Promise<Report> {
  const end = new AbortController();
  const endAt = (at: Moment['at'], count: number): void => {
    if (moment?.at === at && moment.count === count) end.abort(moment.by);
  };
  const files = fake(FILES);
  const get: Get = async (request) => {
    const count = ++steps.requests;
    endAt('request', count);
    const isCut = end.signal.aborted;
    const answer = await files.get(request);
    endAt('answer', count);
    return isCut ? { ...noReply('interrupted'), requestUrl: request.url.href, url: request.url.href } : answer;
  };
  const read: ReadInWorker = async (name, written, how) => {
    endAt('text', ++steps.texts);
    return end.signal.aborted ? { ok: false, limit: 'ended' } : readUntrusted(name, written, how, { limitMs: 5000 });
  };
  const interrupt = new AbortController();
  end.signal.addEventListener('abort', () => {
    if (moment?.by.by === 'interrupt') interrupt.abort();
  });
  return runChecks(
    options(get, {
      checks,
      requested: { full: true },
      limits: { parseMs: 5000, read, signal: end.signal },
      interrupt: interrupt.signal,
    }),
  );
}

/** What is held against the site, or said of how much was seen. */
function told(report: Report): readonly string[] {
  return report.checks.flatMap(({ id, findings }) =>
    findings
      .filter(({ rule, severity }) => severity === 'error' || /limit-reached|deadline-exceeded|parse-limit/.test(rule))
      .map(({ rule }) => `${id}/${rule}`),
  );
}

const steps: Steps = { requests: 0, texts: 0 };
const whole = await runTo(null, steps);
const INTERRUPT = new Ended('interrupt');

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1);

describe('a run that ends', () => {
  it('is over a site without faults', () => {
    expect(told(whole)).toEqual([]);
    expect(steps).toEqual({ requests: expect.toSatisfy((count) => count > 20), texts: expect.toSatisfy((n) => n > 8) });
  });

  it.each([
    ['request', steps.requests],
    ['answer', steps.requests],
    ['text', steps.texts],
  ] as const)('by Ctrl-C, with any %s', async (at, most) => {
    const reports = await Promise.all(upTo(most).map((count) => runTo({ at, count, by: INTERRUPT })));
    expect(reports.map(told)).toEqual(upTo(most).map(() => []));
    expect(new Set(reports.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
  });

  it('by its deadline, with any text', async () => {
    const by = new Ended('deadline', 60_000);
    const reports = await Promise.all(upTo(steps.texts).map((count) => runTo({ at: 'text', count, by })));
    const faults = reports
      .flatMap(told)
      .filter((code) => !/^links\/(?:mostly-unchecked|deadline-exceeded)$/.test(code));
    expect(faults).toEqual([]);
    const evidence = reports.flatMap(({ checks: all }) =>
      all.flatMap(({ findings }) => findings.flatMap((one) => (one.rule === 'interrupted' ? [one.evidence] : []))),
    );
    expect(evidence.filter((one) => one['deadlineMs'] === 60_000).length).toBeGreaterThan(0);
  });
});
