/** Runs the five checks over a site that is a map of answers, for tests of the run. */
import { defaultChecks as checks } from '../checks/index.ts';
import type { Answer, Get } from '../src/core/answer.ts';
import type { Check, CheckResult, Report } from '../src/core/check.ts';
import { runChecks, type RunOptions } from '../src/core/run.ts';
import { reply, SHELL } from './answers.ts';

export const ORIGIN = 'https://docs.example';

/** Files by path (or URL, on another host): a text, an answer, or `silent` for one that never comes. */
export type Files = Readonly<Record<string, string | Answer | typeof silent>>;
export const silent = Symbol('silent');

export const text = (body: string): Answer => reply(body, { contentType: 'text/plain' });
export const html = (body: string): Answer => reply(body, { contentType: 'text/html' });
export const json = (value: unknown): Answer => reply(JSON.stringify(value), { contentType: 'application/json' });

export function siteIn(folder: string): Files {
  return {
    [`${folder}index.html`]: html(SHELL),
    [`${folder}config.json`]: json({}),
    [`${folder}navigation.md`]: '- [Home](index.md)\n',
    [`${folder}index.md`]: '# Handbook\n',
    [`${folder}llms.txt`]: text('# Handbook\n\n[Home](index.md)\n'),
  };
}

export const SITE = siteIn('/');

/** Of `SHELL`, which is there with every bundle. */
const SCRIPT = reply('start()', { contentType: 'text/javascript' });

/** A `get` that answers from `files`, and what of them it was requested, in order. `fallback`: for whatever is not there. */
export function fake(files: Files, fallback: Answer = reply('', { status: 404 })): { get: Get; asked: string[] } {
  const asked: string[] = [];
  const get: Get = async ({ url }) => {
    const path = url.origin === ORIGIN ? url.href.slice(ORIGIN.length) : url.href;
    const isScript = path.endsWith('/assets/app.js') && files[path] === undefined;
    if (!isScript) asked.push(path);
    const file = isScript ? SCRIPT : (files[path] ?? fallback);
    if (file === silent) return new Promise<never>(() => {});
    return { ...(typeof file === 'string' ? reply(file) : file), requestUrl: url.href, url: url.href };
  };
  return { get, asked };
}

export function options(get: Get, given: Partial<RunOptions> = {}): RunOptions {
  return {
    checks,
    base: new URL(ORIGIN),
    get,
    tool: { name: 'docvitals', version: '0.0.0' },
    rules: new Map(),
    strict: false,
    limits: { parseMs: 5000 },
    interrupt: new AbortController().signal,
    clock: () => 0,
    startedAt: new Date('2026-03-01T12:00:00Z'),
    ...given,
  };
}

export const run = async (files: Files, given?: Partial<RunOptions>): Promise<Report> =>
  runChecks(options(fake(files).get, given));

export const only = (...ids: string[]): { checks: readonly Check[] } => ({
  checks: checks.filter(({ id }) => ids.includes(id)),
});
export const inDocs = { base: new URL('/docs/', ORIGIN) };

/** The failing, warning, unknown and skipped checks with their codes: `{}` for a healthy report. */
export function trouble(report: Report): Record<string, string[]> {
  const told = report.checks.map(({ id, findings, skipped }) => {
    const codes = [...findings, ...(skipped ? [skipped] : [])].map(({ rule }) => rule);
    return [id, codes] as const;
  });
  return Object.fromEntries(told.filter(([, codes]) => codes.length > 0));
}

export function result(report: Report, id: string): CheckResult {
  const found = report.checks.find((check) => check.id === id);
  if (found === undefined) throw new Error(`no ${id} in the report`);
  return found;
}
