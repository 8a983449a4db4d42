/**
 * Small responses that would take much memory or time: what the built command needs for them, and what it reports. More
 * of each kind is in `bodies.long.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { makeProject, startProcess } from '../monitor/process.ts';
import { checkLongPage, checkQuotes, rules, JSON_BOMBS, MOST_MIB, page, site, stopOnLongPage } from './bodies.ts';

const OWN = { id: 'search', title: 'Search index', path: 'search.json', fix: 'Build it again.' };

it('a page with long addresses keeps the deadline', async () => {
  const { bundle, durationMs, maxRssMiB } = await checkLongPage({ length: 1_800_000, scripts: 300 });
  expect(bundle).toContain('script-missing');
  expect(durationMs).toBeLessThan(6_000);
  expect(maxRssMiB).toBeLessThan(MOST_MIB);
});

it.each([
  { name: 'a script that opens a comment again and again', files: { 'a.js': '<!--'.repeat(2_400_000) } },
  { name: 'a script that names the engine again and again', files: { 'a.js': '/docsify@'.repeat(110_000) } },
  { name: 'a page that opens scripts in a tag again and again', tags: `${'<script'.repeat(280)}>`.repeat(5_000) },
  { name: 'a page of a tag without an end', tags: `<a ${'= '.repeat(4_900_000)}` },
])('the deadline is kept for $name', async ({ files = {}, tags = '' }) => {
  const settings = '<script>window.$docsify = {}</script><script src="a.js"></script>';
  let startedAt = Infinity;
  const url = await site({ 'index.html': `<!doctype html><div id="app"></div>${settings}${tags}`, ...files }, () => {
    startedAt = Math.min(startedAt, performance.now());
  });
  const { status } = await runCli(['check', url, '--deadline', '5s', '--format', 'json']);
  expect(status).not.toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});

it('a signal ends the command promptly on a page with long addresses', async () => {
  const { status, tookMs, blockedMs } = await stopOnLongPage('SIGTERM', { length: 1_800_000, scripts: 300 });
  expect(status).toBe(143);
  expect(tookMs).toBeLessThan(2_000);
  expect(blockedMs).toBeLessThan(500);
});

it('pages of nested quotes keep the deadline, however long a page may be parsed', async () => {
  const { status, home, durationMs } = await checkQuotes();
  expect([status, home]).toEqual([3, ['interrupted']]);
  expect(durationMs).toBeLessThan(3_000);
});

it('JSON of millions of values is parsed neither as a configuration nor by a check of the user nor instead of any other file', async () => {
  const [lists, objects] = [JSON_BOMBS.lists(), JSON_BOMBS['empty objects']()];
  const files = { 'config.json': lists, 'index.html': lists, 'llms.txt': lists, 'navigation.md': lists };
  const url = await site({ ...files, 'search.json': objects });
  const expected = { json: { schema: { type: 'array', items: { type: 'object' } } } };
  const project = makeProject({ url, checks: [{ ...OWN, expect: expected }] });
  try {
    const { stdout, maxRssMiB } = await project.run(['check', '--format', 'json']);
    const found = ['config', 'search', 'bundle'].map((check) => rules(stdout, check));
    expect(found).toEqual([['parse-limit'], ['parse-limit'], ['not-html']]);
    // Four of them at once: when the engine collects garbage differs from run to run.
    expect(maxRssMiB).toBeLessThan(1.1 * MOST_MIB);
  } finally {
    project.remove();
  }
});

it.skipIf(process.platform !== 'linux')(
  'JSON of millions of values leaves a monitor small, and its other sites watched',
  async () => {
    const url = await site({ 'config.json': JSON_BOMBS.lists(), 'index.html': page(1_800_000, 300) });
    const healthy = await site({});
    const often = { every: '1s', full: { every: '1s' }, confirm: { after: '100ms', times: 3 } };
    const project = makeProject({
      sites: [
        { id: 'hostile', url, ...often },
        { id: 'docs', url: healthy, ...often },
      ],
      monitor: { connectivity: [] },
    });
    const { child, lines, told, ended } = await startProcess(project);
    try {
      expect(await told('incident-opened')).toMatchObject({ site: 'hostile' });
      await sleep(1_500);
      const peakKiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
      expect(peakKiB / 1024).toBeLessThan(400);
      const strange = new Set(['resumed', 'blocked', 'probe-failing']);
      expect(lines.filter(({ event }) => strange.has(event))).toEqual([]);
      const signalledAt = performance.now();
      child.kill('SIGTERM');
      expect((await ended).status).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(3_000);
    } finally {
      child.kill('SIGKILL');
      await ended;
      project.remove();
    }
  },
);
