import { afterAll, describe, expect, it } from 'vitest';
import { defaultChecks as checks } from '../../checks/index.ts';
import { FOLLOWED_RULES } from '../../checks/llms-txt/check.ts';
import { MISSPELLING_RULES } from '../../src/expect/text.ts';
import { OWN_RULES } from '../../checks/own/check.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import { REASONS } from '../../src/http/reasons.ts';
import type { Verdict } from '../../src/core/check.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { differences, saveExamples } from '../evidence-examples.ts';
import type { Fault } from './fault.ts';
import { serve } from './serve.ts';
import { startsCommand, TABLE } from './table.ts';
import { checkRow, expected, runRow, told } from './verify.ts';

const rows = Object.values(TABLE).flat();

/** Between the deadline and the end of a run there is little time: these rows do not run beside others. */
const ALONE = 'deadlines';

describe.concurrent.each(Object.entries(TABLE).filter(([name, kind]) => name !== ALONE && kind.length > 0))(
  '%s',
  (name, kind) => {
    it.for(kind)('$name', { timeout: 60_000 }, async (row, { onTestFinished }) =>
      expectOutcome(name, row, onTestFinished),
    );
  },
);

describe('deadlines', () => {
  it.for(TABLE[ALONE] ?? [])('$name', { timeout: 60_000 }, async (row, { onTestFinished }) =>
    expectOutcome(ALONE, row, onTestFinished),
  );
});

async function expectOutcome(
  name: string,
  row: Fault,
  onTestFinished: (end: () => Promise<void>) => void,
): Promise<void> {
  const served = await serve(row.serve);
  onTestFinished(async () => served.close());
  const result = await (startsCommand(name, row) ? runRow : checkRow)(row, served.url, served.env);
  expect(told(result)).toEqual(expected(row));
  expect([undefined, verdictIn(result.stdout)]).toContain(row.verdict);
  expect(exampleDifferences(`${name}: ${row.name}`, result.stdout)).toEqual([]);
  expect(result.durationMs).toBeLessThan(row.mostMs);
  expect(result.maxRssMiB ?? 0).toBeLessThan(row.mostMiB);
}

const verdictIn = (stdout: string): Verdict | null =>
  stdout.startsWith('{') ? (JSON.parse(stdout) as ReportDocument).verdict : null;

/** The examples that `explain` prints are what is reported here. */
function exampleDifferences(from: string, stdout: string): readonly string[] {
  if (!stdout.startsWith('{')) return [];
  const { checks: results, site } = JSON.parse(stdout) as ReportDocument;
  return results.flatMap(({ findings }) => differences(from, findings, new URL(site.url).origin));
}

afterAll(saveExamples);

/** Provoked in test/transport, where a name server, a full backlog or a signal can be had. */
const ELSEWHERE = new Set([
  'dns-temporary',
  'dns-timeout',
  'unreachable',
  'connect-timeout',
  'no-network',
  'interrupted',
]);

describe('the table', () => {
  const provoked = new Set(
    rows.flatMap((row) =>
      Object.entries(row.expected).flatMap(([id, { codes }]) => codes.map((code) => `${id}/${code}`)),
    ),
  );
  const anywhere = new Set([...provoked].map((each) => each.split('/')[1]));

  it.each(Object.keys(REASONS).filter((reason) => !ELSEWHERE.has(reason)))('provokes the reason %s', (reason) => {
    expect(anywhere).toContain(reason);
  });

  // A reason can befall any check in the same way; what a check can say by itself is provoked for that very check.
  // A defect of docvitals itself (internal-error) is nothing that a site can provoke, and what is checked under
  // `--full` only is provoked in test/generator.
  const codes = checks.flatMap(({ id, rules: own }) =>
    Object.keys(own)
      .filter(
        (code) =>
          !Object.hasOwn(REASONS, code) &&
          code !== 'internal-error' &&
          // Needs another host that sends the script, or the page.
          code !== 'script-cors' &&
          code !== 'cors' &&
          // Under `--full` only.
          !(id === 'bundle' && code === 'script-syntax') &&
          // Each spelling has its row in the tests of the diagnosis.
          !(Object.hasOwn(MISSPELLING_RULES, code) && code !== 'letter-case') &&
          !(id === 'llms-txt' && Object.hasOwn(FOLLOWED_RULES, code)),
      )
      .map((code) => `${id}/${code}`),
  );

  const ownCodes = Object.keys(OWN_RULES).filter((code) => !Object.hasOwn(PAGE_RULES, code));

  it.each([...codes, 'mine/status', 'mine/media-type', ...ownCodes.map((code) => `mine/${code}`)])(
    'provokes %s',
    (code) => {
      expect(provoked).toContain(code);
    },
  );

  it('names each row once', () => {
    const names = Object.entries(TABLE).flatMap(([kind, each]) => each.map(({ name }) => `${kind}: ${name}`));
    expect(names).toEqual([...new Set(names)]);
  });
});
