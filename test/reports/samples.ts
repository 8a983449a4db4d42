/** Reports of every kind, and the options to make outputs of them, for tests of the outputs. */
import type { CheckResult, Report, Waited } from '../../src/core/check.ts';
import type { ReportOptions } from '../../src/report/formats.ts';
import { LOCATE_NOTHING } from '../../src/report/location.ts';
import type { Language } from '../../src/locales/language.ts';
import { loadTexts } from '../../src/report/texts.ts';
import { finding, reportOf } from '../reports.ts';
import { messagesIn } from '../../src/locales/messages.ts';

const MESSAGES = { en: messagesIn('en'), fr: messagesIn('fr'), ro: messagesIn('ro') };

/** The options of an output in a language. */
export async function optionsIn(language: Language, rest: Partial<ReportOptions> = {}): Promise<ReportOptions> {
  return {
    texts: await loadTexts(language),
    messages: MESSAGES[language],
    columns: 80,
    colour: false,
    detail: 'normal',
    locate: LOCATE_NOTHING,
    ...rest,
  };
}

/** As `--source docs` would know it. */
export const locateInDocs: ReportOptions['locate'] = ({ path, line, column }) => ({
  file: `docs/${path}`,
  line,
  column,
});

const SINGLE: Partial<CheckResult> = { status: 'pass', facts: { pages: 3 } };

const HEALTHY: readonly Partial<CheckResult>[] = [
  { id: 'bundle', status: 'pass', target: 'GET /index.html', durationMs: 250 },
  { id: 'config', status: 'pass' },
  { id: 'navigation', status: 'pass', target: 'GET /navigation.md' },
  { ...SINGLE, id: 'home', target: 'GET /index.md' },
  { id: 'llms-txt', status: 'skip', httpStatus: null, skipped: finding({ rule: 'off', severity: null }) },
];

const place = (line: number, path = 'navigation.md'): { path: string; line: number; column: number } => ({
  path,
  line,
  column: 3,
});

const FAULTY: readonly Partial<CheckResult>[] = [
  { id: 'bundle', status: 'pass', findings: [finding({ rule: 'media-type', severity: 'info' })] },
  {
    id: 'config',
    findings: [
      finding({
        rule: 'trailing-comma',
        location: place(2, 'config.json'),
        excerpt: { firstLine: 1, lines: ['{', '  "a": 1,', '}'], caretColumn: 9 },
        evidence: { offset: 10 },
      }),
    ],
  },
  { id: 'navigation', status: 'warn', findings: [finding({ rule: 'no-links', severity: 'warning' })] },
  {
    id: 'links',
    target: 'GET /**/*.md',
    requests: 40,
    httpStatus: null,
    attempts: 0,
    findings: [
      finding({
        rule: 'missing',
        evidence: { target: 'a.md' },
        location: place(1),
        locations: [place(1), place(5), place(9)],
      }),
      finding({ rule: 'missing', evidence: { target: 'b.md' }, location: place(2) }),
      finding({ rule: 'media-type', severity: 'warning', evidence: { mediaType: 'a/b' } }),
    ],
    facts: { pages: 30, missing: 2, js: [200, 404] },
  },
  {
    id: 'home',
    status: 'unknown',
    findings: [finding({ rule: 'no-network', severity: null, evidence: { error: 'E' } })],
  },
  { id: 'llms-txt', status: 'skip', skipped: finding({ rule: 'off', severity: null }) },
];

const WAITED: Waited = {
  forMs: 300_000,
  elapsedMs: 42_000,
  runs: 14,
  by: 'source',
  firstNewMs: 31_000,
  allNewMs: 38_500,
  allPassedMs: 42_000,
};

const UNREACHED: Waited = { ...WAITED, elapsedMs: 300_000, firstNewMs: null, allNewMs: null, allPassedMs: null };

const refused = finding({ rule: 'refused', evidence: { error: 'ECONNREFUSED' } });

/** One code of one check many times. */
export const manyFindings = (count: number): Report =>
  reportOf([
    {
      id: 'links',
      findings: Array.from({ length: count }, (_, index) =>
        finding({ rule: 'missing', evidence: { target: `page-${index}.md` }, location: place(index + 1) }),
      ),
    },
  ]);

/** As many codes as findings, of errors and warnings in turn. */
export const manyCodes = (count: number): Report =>
  reportOf([
    {
      id: 'links',
      findings: Array.from({ length: count }, (_, index) =>
        finding({ rule: `code-${index}`, severity: index % 2 === 0 ? 'warning' : 'error', evidence: { index } }),
      ),
    },
  ]);

/** Every check is one that the user wrote. */
export const manyChecks = (count: number): Report =>
  reportOf(
    Array.from({ length: count }, (_, index) => ({
      id: `own-${index}`,
      status: index % 3 === 0 ? ('fail' as const) : ('pass' as const),
      findings: index % 3 === 0 ? [finding({ rule: 'not-found' })] : [],
    })),
  );

/** Reports by name. */
export const SAMPLES: Readonly<Record<string, Report>> = {
  healthy: reportOf(HEALTHY, { verdict: 'healthy', durationMs: 310 }),
  'healthy and fresh, waited for': reportOf(HEALTHY, {
    verdict: 'healthy',
    durationMs: 310,
    fresh: true,
    waited: WAITED,
  }),
  faulty: reportOf(FAULTY, { verdict: 'down' }),
  'stale, waited for in vain': reportOf(
    [{ id: 'source', findings: [finding({ rule: 'stale', evidence: { path: 'config.json' } })] }, ...HEALTHY],
    { verdict: 'stale', fresh: false, waited: UNREACHED },
  ),
  'waited for health only': reportOf(HEALTHY, {
    verdict: 'healthy',
    waited: { ...WAITED, by: 'health', allNewMs: null },
  }),
  interrupted: reportOf([{ status: 'unknown', findings: [finding({ rule: 'interrupted', severity: null })] }], {
    verdict: 'unknown',
    interrupted: true,
  }),
  'one cause': reportOf(
    ['bundle', 'config', 'navigation'].map((id) => ({ id, httpStatus: null, findings: [refused] })),
    { verdict: 'down' },
  ),
  'a refused certificate': reportOf(
    [{ id: 'tls', findings: [finding({ rule: 'tls-expired', evidence: { validTo: '2025-12-31T23:59:59.000Z' } })] }],
    { site: { url: 'https://docs.test/' } },
  ),
  'a good certificate': reportOf([{ id: 'tls', status: 'pass', facts: { validTo: '2026-12-31T23:59:59.000Z' } }], {
    site: { url: 'https://docs.test/' },
    verdict: 'healthy',
  }),
  'an unknown check and code': reportOf([{ id: 'gone', findings: [finding({ rule: 'never-heard' })] }]),
  'no checks': reportOf([], { verdict: 'healthy' }),
  'no findings': reportOf([{ status: 'fail', findings: [] }]),
  'many findings': manyFindings(5_000),
  'many codes': manyCodes(200),
  'many checks': manyChecks(100),
};

/** Rows for `it.each`. */
export const SAMPLE_ROWS = Object.entries(SAMPLES).map(([name, report]) => ({ name, report }));
