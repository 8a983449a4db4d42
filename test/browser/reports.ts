/** Reports as the HTML output has to lay them out: a site that is well, one with faults of all kinds, an old one, a hostile one. */
import type { CheckResult, Report } from '../../src/core/check.ts';
import type { Finding } from '../../src/core/finding.ts';
import { HOSTILE } from '../reports/hostile.ts';
import { finding, reportOf } from '../reports.ts';

const ORIGIN = 'http://docs.test';

/** A check of one file that is well, by default. */
function file(id: string, path: string, rest: Partial<CheckResult> = {}): Partial<CheckResult> {
  const timings = { dnsMs: 3, connectMs: 12, tlsMs: 31, firstByteMs: 48, totalMs: 97 };
  return { id, status: 'pass', target: `GET /${path}`, url: `${ORIGIN}/${path}`, timings, ...rest };
}

/** A check of many files that is well, by default. */
function many(id: string, target: string, rest: Partial<CheckResult> = {}): Partial<CheckResult> {
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };
  const timing = { httpStatus: null, attempts: 0, durationMs: 1240, timings: none, requests: 210 };
  return { id, status: 'pass', target, url: `${ORIGIN}/`, ...timing, ...rest };
}

const NOTE = finding({ severity: 'info', rule: 'soft-404-by-design', evidence: { names: ['md', 'js'], status: 200 } });
const OFF = finding({ severity: null, rule: 'not-negotiated' });

const WELL: readonly Partial<CheckResult>[] = [
  file('bundle', 'index.html'),
  file('config', 'config.json'),
  file('navigation', 'navigation.md'),
  file('home', 'index.md'),
  file('llms-txt', 'llms.txt'),
  many('not-found', 'GET /<missing>', { facts: { md: 'bundle', json: 404 }, findings: [NOTE] }),
  many('links', 'GET /**/*.md', { facts: { pages: 186, files: 2, links: 1158, missing: 0 } }),
  many('negotiation', 'GET /**/', { status: 'skip', skipped: OFF, facts: { host: 'server', pages: 5 } }),
];

/** The same checks, some of them with another outcome. */
function having(...others: readonly Partial<CheckResult>[]): readonly Partial<CheckResult>[] {
  return WELL.map((check) => others.find(({ id }) => id === check.id) ?? check);
}

const place = (path: string, line: number, column = 5) => ({ path, line, column });

const COMMA = finding({
  rule: 'trailing-comma',
  location: place('config.json', 25, 4),
  excerpt: { firstLine: 24, lines: ['    }', '  ],', '}'] },
  evidence: { offset: 450 },
});

/** A broken link that shows in many places. */
const missing = (number: number): Finding =>
  finding({
    rule: 'missing',
    evidence: { target: `guide/page-${number}.md`, status: 404, mediaType: 'text/html', count: 12 },
    location: place('navigation.md', number),
    locations: Array.from({ length: 12 }, (_, index) => place(`guide/chapter-${index}.md`, 7 + index)),
  });

const REDIRECTED = finding({
  rule: 'redirected',
  evidence: {
    files: [
      { url: `${ORIGIN}/navigation.md`, status: 301, location: '/docs/navigation.md' },
      { url: `${ORIGIN}/docs/navigation.md`, status: 302, location: 'http://evil.test/navigation.md' },
    ],
    url: `${ORIGIN}/docs/navigation.md`,
  },
});

const FAULTY = having(
  file('config', 'config.json', { status: 'fail', findings: [COMMA] }),
  file('navigation', 'navigation.md', { status: 'fail', findings: [REDIRECTED] }),
  file('home', 'index.md', {
    status: 'warn',
    findings: [
      finding({ severity: 'warning', rule: 'media-type', evidence: { mediaType: 'application/octet-stream' } }),
    ],
  }),
  file('llms-txt', 'llms.txt', {
    status: 'unknown',
    attempts: 3,
    httpStatus: null,
    findings: [finding({ severity: null, rule: 'out-of-descriptors', evidence: { error: 'EMFILE' } })],
  }),
  many('links', 'GET /**/*.md', {
    status: 'fail',
    findings: Array.from({ length: 9 }, (_, index) => missing(index + 1)),
  }),
);

const WAITED = {
  forMs: 300_000,
  elapsedMs: 301_200,
  runs: 14,
  by: 'source',
  firstNewMs: 84_000,
  allNewMs: null,
  allPassedMs: null,
} as const;

const OLD = finding({ rule: 'stale', evidence: { old: ['config.json', 'guide/index.md'], version: 'a1b2c3d' } });

/** Every text that a site may send, as the path, the evidence and the excerpt of one finding. */
const HOSTILE_FINDINGS = Object.values(HOSTILE).map((text) =>
  finding({
    evidence: { value: text, objects: [{ [text]: text }], [text]: 1 },
    location: place(text, 3, 2),
    locations: [place(text, 9)],
    excerpt: { firstLine: 3, lines: [text] },
  }),
);

const HOSTILE_WORD = `${HOSTILE['HTML script']}${HOSTILE['bidi and invisible characters']}${'x'.repeat(500)}`;

export const REPORTS = {
  healthy: reportOf(WELL, { verdict: 'healthy', fresh: true, durationMs: 4210 }),
  failing: reportOf(FAULTY, { verdict: 'down', durationMs: 64_210, interrupted: true }),
  stale: reportOf([...WELL, many('source', 'GET /**', { status: 'fail', findings: [OLD] })], {
    verdict: 'stale',
    fresh: false,
    waited: WAITED,
  }),
  hostile: reportOf(
    having(
      file('config', HOSTILE_WORD, { status: 'fail', findings: HOSTILE_FINDINGS, facts: { value: HOSTILE_WORD } }),
      file('navigation', 'navigation.md', {
        status: 'fail',
        url: 'javascript:alert(1)',
        findings: [
          finding({ rule: HOSTILE_WORD }),
          finding({ rule: 'status', evidence: { url: 'javascript:alert(1)' } }),
        ],
      }),
    ),
    { site: { url: `${ORIGIN}/${'very-long-path/'.repeat(40)}` } },
  ),
} as const satisfies Record<string, Report>;

export type ReportName = keyof typeof REPORTS;
export const REPORT_NAMES = Object.keys(REPORTS) as ReportName[];
