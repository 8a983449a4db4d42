import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { restOf, startGitHub, written } from '../../test/github.ts';
import { GITHUB_MARKS, nodesOf, readGfm, shapeOf } from '../../test/reports/gfm.ts';
import { HOSTILE_ROWS } from '../../test/reports/hostile.ts';
import { finding, reportOf } from '../../test/reports.ts';
import type { Report } from '../core/check.ts';
import { LOCATE_NOTHING } from '../report/location.ts';
import { LANGUAGES } from '../locales/language.ts';
import { textsOf } from '../report/texts.ts';
import type { RunEvent } from './event.ts';
import { createLog } from './log.ts';
import { commentOn, trackIssue, type Publishing, outputsOf, verdictLine, filesWithin } from './publish.ts';
import { messagesIn } from '../locales/messages.ts';
import { actionWords } from '../generated/locales/action.ts';
import { optionsIn } from '../../test/reports/samples.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const FAILED = reportOf([{ findings: [finding()] }]);

function publishing(report: Report, said: string[] = []): Publishing {
  const texts = textsOf('en', {});
  return {
    report,
    options: {
      texts,
      messages: messagesIn('en'),
      columns: 80,
      colour: false,
      detail: 'normal',
      locate: LOCATE_NOTHING,
    },
    words: actionWords('en'),
    log: createLog((text) => Promise.resolve(void said.push(text))),
    env: { GITHUB_REPOSITORY: 'octocat/handbook', GITHUB_RUN_ID: '1', GITHUB_RUN_ATTEMPT: '1', GITHUB_JOB: 'docs' },
  };
}

async function acts(act: (rest: ReturnType<typeof restOf>) => Promise<unknown>): Promise<string[]> {
  const github = await startGitHub();
  await act(restOf(github));
  await github.stop();
  return written(github).map((line) => line.replace('/repos/octocat/handbook/', ''));
}

describe('the issue', () => {
  it.each<{ name: string; report: Report; expected: readonly string[] }>([
    { name: 'that failed', report: FAILED, expected: ['POST issues'] },
    { name: 'that is stale', report: { ...FAILED, verdict: 'stale' }, expected: ['POST issues'] },
    { name: 'that could not tell', report: { ...FAILED, verdict: 'unknown' }, expected: [] },
    { name: 'that was interrupted', report: { ...FAILED, interrupted: true }, expected: [] },
    { name: 'that is well', report: reportOf([{ status: 'pass' }], { verdict: 'healthy' }), expected: [] },
    {
      name: 'that warns, where warnings count',
      report: reportOf([{ status: 'warn', findings: [finding({ severity: 'warning' })] }], { strict: true }),
      expected: ['POST issues'],
    },
    { name: 'without a finding that says why', report: reportOf([{ status: 'fail' }]), expected: ['POST issues'] },
  ])('of a run $name: $expected', async ({ report, expected }) => {
    expect(await acts((rest) => trackIssue(rest, 'docvitals', publishing(report)))).toEqual(expected);
  });

  /** The comments of an old version that is reported, told otherwise, told once more after a closing, and gone. */
  async function commentsOn(text: string): Promise<readonly string[]> {
    const github = await startGitHub();
    const track = (report: Report): Promise<void> => trackIssue(restOf(github), 'docvitals', publishing(report));
    const old = (rule: string): Report => {
      const findings = [finding({ rule, evidence: { expected: `x${text}`, found: text } })];
      return reportOf([{ id: 'deployed-version', findings }], { verdict: 'stale', fresh: false });
    };
    await track(old('old-version'));
    await track(old('no-version'));
    Object.assign(github.issues[0] ?? {}, { state: 'closed', state_reason: 'completed' });
    await track(old('no-version'));
    await track({ ...old('no-version'), verdict: 'healthy' });
    await track(old('no-version'));
    await github.stop();
    return github.comments.map(({ body }) => body);
  }

  it.each(HOSTILE_ROWS.filter(({ text }) => text !== ''))(
    'has comments in which what the site sends is code: $name',
    async ({ text }) => {
      const [given, harmless] = await Promise.all([commentsOn(text), commentsOn('harmless')]);
      expect(given).toHaveLength(3);
      const trees = given.map((body) => readGfm(body));
      expect(trees.map((tree) => shapeOf(tree))).toEqual(harmless.map((body) => shapeOf(readGfm(body))));
      const texts = trees.flatMap((tree) =>
        nodesOf(tree).flatMap((node) => (node.type === 'text' ? [node.value] : [])),
      );
      expect(texts.filter((found) => GITHUB_MARKS.test(found))).toEqual([]);
    },
  );

  it('has room, however many checks of one’s own fail', async () => {
    const report = reportOf(
      Array.from({ length: 3_000 }, (_, index) => ({
        id: `own-check-${index}-${'x'.repeat(300)}`,
        status: 'fail',
        findings: [finding({ rule: 'syntax' })],
      })),
    );
    const github = await startGitHub();
    await trackIssue(restOf(github), 'docvitals', publishing(FAILED));
    await trackIssue(restOf(github), 'docvitals', publishing(report));
    await github.stop();
    const [issue, comment] = [github.issues[0]?.body ?? '', github.comments[0]?.body ?? ''];
    expect(issue.split('\n')[0]).toMatch(/^<!-- docvitals incident \w+ \S+\/syntax,\S+ -->$/);
    expect(Math.max(issue.length, comment.length)).toBeLessThan(65_536);
  });
});

describe('the comment', () => {
  const event: RunEvent = {
    deployment: null,
    commit: null,
    deployed: null,
    orDeployed: [],
    pullRequest: 12,
  };
  const environment = (name: string): RunEvent => ({
    ...event,
    deployment: { state: 'success', url: null, environment: name },
  });

  it('of each environment is one, whatever the addresses of its previews are', async () => {
    const comment = (rest: ReturnType<typeof restOf>, run: string, name: string, url: string): Promise<void> => {
      const { env, ...others } = publishing({ ...FAILED, site: { url } });
      return commentOn(rest, environment(name), { ...others, env: { ...env, GITHUB_RUN_ID: run } });
    };
    const done = await acts(async (rest) => {
      await comment(rest, '1', 'Preview – docs', 'https://a1.test/');
      await comment(rest, '2', 'Preview – blog', 'https://b1.test/');
      await comment(rest, '3', 'Preview – docs', 'https://a2.test/');
      await comment(rest, '4', 'Preview – blog', 'https://b2.test/');
    });
    expect(done).toEqual([
      'POST issues/12/comments',
      'POST issues/12/comments',
      'PATCH issues/comments/1000',
      'PATCH issues/comments/1001',
    ]);
  });

  it('is none where no commit and no pull request is known', async () => {
    const said: string[] = [];
    expect(await acts((rest) => commentOn(rest, { ...event, pullRequest: null }, publishing(FAILED, said)))).toEqual(
      [],
    );
    expect(said).toEqual([expect.stringMatching(/^::notice /)]);
  });
});

/** A stale report, whose line names what the site tells. */
const stale = (text: string): Report =>
  reportOf(
    [
      { id: 'source', findings: [finding({ rule: 'stale', evidence: { path: text } })] },
      {
        id: 'deployed-version',
        findings: [finding({ rule: 'old-version', evidence: { expected: 'x', found: text } })],
      },
    ],
    { verdict: 'stale', fresh: false },
  );

describe('the output summary', () => {
  // Workflows write `echo "${{ steps.docs.outputs.summary }}"`.
  it.each(HOSTILE_ROWS)('holds nothing of what the site sends: $name', async ({ text }) => {
    for (const language of LANGUAGES) {
      const options = await optionsIn(language);
      const { summary } = outputsOf(stale(text), options, null);
      expect(summary).toBe(outputsOf(stale('harmless'), options, null).summary);
      expect(summary).not.toMatch(/["'`$\\;&|<>\n]/);
    }
  });

  it('says that the site is old; the log names what is', async () => {
    const options = await optionsIn('en');
    const { verdictLine: line, verdicts, waiting } = options.messages;
    expect(outputsOf(stale('abc1234'), options, null).summary).toBe(line(verdicts.stale, waiting.stale(null, '')));
    expect(verdictLine(stale('abc1234'), options)).toContain('abc1234');
  });
});

it('files that an artifact has no room for are left out, and later smaller ones are not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-artifact-'));
  const names = ['report.json', 'large.jpg', 'small.jpg'];
  for (const [index, bytes] of [40, 70, 60].entries()) {
    writeFileSync(path.join(folder, names[index] ?? ''), Buffer.alloc(bytes));
  }
  expect(await filesWithin(folder, [...names, 'missing.jpg'], 100)).toEqual({
    taken: ['report.json', 'small.jpg'],
    left: ['large.jpg', 'missing.jpg'],
  });
  rmSync(folder, { recursive: true });
});
