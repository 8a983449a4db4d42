/** What the reports say and how they read, over a table of sites: healthy, faulty, silent, hostile. */
import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { serveScripts } from '../faults/script.ts';
import type { Script } from '../faults/script.ts';
import type { Host } from '../site/host.ts';
import { runHere, type ResultHere } from './run-here.ts';
import { runCli } from './run.ts';

const SITE = new Map([
  ['index.html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  ['config.json', '{}'],
  ['navigation.md', '- [Home](index.md)\n'],
  ['index.md', '# Docs\n'],
  ['llms.txt', '# Docs\n\n- [Home](index.md)\n'],
]);

/** A whole raw answer: nothing of it is checked or escaped on the way out. */
function raw(body: string, { status = '200 OK', type = 'text/markdown', headers = '' } = {}): Script {
  const bytes = Buffer.from(body, 'utf8');
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n${headers}Connection: close\r\n\r\n`;
  return [{ send: Buffer.from(head, 'latin1') }, { send: bytes }, 'end'];
}
const json = (body: string): Script => raw(body, { type: 'application/json' });

const ESC = '\u001b';
/** What terminals act on: colours, a hyperlink, a title, a cleared screen, C1 controls, bidi, line separators. */
const EVIL = `${ESC}[31m${ESC}]8;;http://evil.test/${ESC}\\${ESC}]0;owned\u0007${ESC}[2J\u009b31m\u0085\u202e\u2066\u200f\u2028\u061c\ufeff\u00ad\u{e0041}\r\b\u007f`;
// In a header only what a byte can say, and no line end.
const EVIL_HEADER = `${ESC}[31m${ESC}]8;;http://evil.test/${ESC}\\\u009b31m\u0085\u007f`;

interface Scenario {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly url?: string;
  readonly exit: number;
}

const LONG = 'a/rather/long/path/that/no/terminal/of/sixty/columns/can/show/on/one/line/page.json';
const OWN = {
  checks: [
    {
      id: 'robots-file',
      title: 'The robots file, with a title that is far too long for one line of a narrow terminal',
      path: LONG,
    },
    {
      id: 'api',
      title: 'API',
      path: 'api.json',
      expect: { json: { schema: { type: 'array' } }, headers: { 'X-Evil': 'nosniff' } },
      fix: 'Put it back.',
    },
    {
      id: 'notes',
      title: 'Notes',
      path: 'api.json',
      expect: { json: true, contains: ['x'.repeat(150)], notContains: ['a'] },
    },
  ],
};

const SCENARIOS: readonly Scenario[] = [
  { name: 'healthy', exit: 0 },
  { name: 'strict, with warnings', scripts: { 'navigation.md': raw('No link.\n') }, args: ['--strict'], exit: 1 },
  {
    name: 'three faults',
    scripts: {
      'config.json': json('{\n  "title": "Docs",\n  "homePage": "index.md",\n}\n'),
      'navigation.md': raw(SITE.get('index.html') ?? '', { type: 'text/html' }),
      'index.md': raw('no', { status: '404 Not Found', type: 'text/plain' }),
    },
    exit: 1,
  },
  {
    name: 'redirects',
    scripts: Object.fromEntries(
      [...SITE.keys()].map((path) => [
        path,
        raw('', { status: '301 Moved', headers: `Location: /elsewhere/${path}\r\n` }),
      ]),
    ),
    exit: 1,
  },
  {
    name: 'missing pages',
    scripts: Object.fromEntries(
      ['navigation.md', 'index.md'].map((path) => [path, raw('no', { status: '404 Not Found', type: 'text/plain' })]),
    ),
    exit: 1,
  },
  { name: 'no agent index', scripts: { 'config.json': json('{"llmsTxtUrl": null}') }, exit: 0 },
  { name: 'nothing listens', url: 'http://127.0.0.1:1/', exit: 1 },
  { name: 'a dead proxy', env: { HTTP_PROXY: 'http://127.0.0.1:1' }, exit: 3 },
  { name: 'silence', scripts: { 'index.md': ['hold'] }, args: ['--timeout', '500ms'], exit: 1 },
  {
    name: 'one long line',
    scripts: { 'config.json': json(`{"a": "${'x'.repeat(5000)}", "b": [1, 2,], "c": "${'y'.repeat(5000)}"}`) },
    exit: 1,
  },
  {
    name: 'tabs and wide letters',
    scripts: { 'config.json': json(`{\n\t\t"用語集": "${'文'.repeat(90)}", 'b': 1\n}`) },
    exit: 1,
  },
  { name: 'checks of the user', config: OWN, scripts: { 'api.json': json('{"a": 1}') }, exit: 1 },
  {
    name: 'hostile bodies',
    scripts: {
      'index.html': raw(`${EVIL}<title>${EVIL}</title>`, { type: 'text/plain' }),
      'config.json': json(
        `{"${EVIL.replaceAll(/\p{Cc}/gu, '')}": 1, "homePage": "${EVIL.replaceAll(/\p{Cc}/gu, '')}.md",\n"x${EVIL}": }`,
      ),
      'navigation.md': raw(EVIL, { status: '418 Evil', type: 'text/plain' }),
      'llms.txt': raw(`<!doctype html><title>${EVIL}</title>`),
    },
    exit: 1,
  },
  {
    name: 'hostile keys and settings',
    scripts: {
      'config.json': json(
        JSON.stringify({ homePage: `x${EVIL}\n.md`, navigationFile: `http://127.0.0.1:1/${EVIL}`, [EVIL]: 1 }).replace(
          '}',
          `, ${JSON.stringify(EVIL)}: 2}`,
        ),
      ),
    },
    exit: 1,
  },
  {
    name: 'hostile headers',
    config: OWN,
    scripts: {
      'index.html': raw('x', { type: `text/${EVIL_HEADER}` }),
      'navigation.md': raw('', { status: '302 Found', headers: `Location: /x${EVIL_HEADER}\r\n` }),
      'index.md': raw('', { status: `302 ${EVIL_HEADER}`, headers: `Location: gopher://${EVIL_HEADER}\r\n` }),
      'llms.txt': raw('x', { headers: `Content-Encoding: ${EVIL_HEADER}\r\n` }),
      'api.json': raw('[]', { type: 'application/json', headers: `X-Evil: ${EVIL_HEADER}\r\n` }),
    },
    exit: 1,
  },
];

const hosts = new Map<string, Host>();
beforeAll(async () => {
  for (const { name, scripts = {} } of SCENARIOS)
    hosts.set(name, await serveScripts(scripts, SITE, { tls: undefined, base: '/' }));
});
afterAll(async () => Promise.all([...hosts.values()].map((host) => host.close())));

function run(
  { name, args = [], env = {}, config, url }: Scenario,
  more: readonly string[],
  { columns = 80, as = runHere }: { columns?: number; as?: typeof runHere } = {},
): Promise<ResultHere> {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-report-'));
  if (config !== undefined) writeFileSync(join(cwd, 'docvitals.json'), JSON.stringify(config));
  const given = ['check', url ?? hosts.get(name)?.url ?? '', '--retries', '0', ...args, ...more];
  return as(given, { cwd, env: { COLUMNS: String(columns), ...env } });
}

const schema = JSON.parse(readFileSync(new URL('../../dist/schema/report.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
const scenario = (name: string): Scenario => SCENARIOS.find((one) => one.name === name) ?? { name: '', exit: -1 };

/** Everything that a terminal may act on, but for the line feeds between the report's own lines. */
const ACTING = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

describe.concurrent('JSON', () => {
  const rows = SCENARIOS.flatMap((row) => LANGUAGES.map((language) => ({ ...row, language })));

  it.each(rows)('$name, in $language: as its schema says, and nothing that acts on a terminal', async (row) => {
    const { status, stdout, stderr } = await run(row, ['--format', 'json', '--lang', row.language]);
    expect({ status, stderr }).toEqual({ status: row.exit, stderr: '' });
    const report = JSON.parse(stdout) as ReportDocument;
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(report.language).toBe(row.language);
    expect(stdout).not.toMatch(ACTING);
    for (const { status: outcome, documentedAction, findings, skipped } of report.checks) {
      expect((documentedAction ?? '') !== '').toBe(outcome === 'fail' || outcome === 'warn');
      expect(skipped === undefined).toBe(outcome !== 'skip');
      for (const { problem, fix } of findings) expect([problem, fix]).not.toContain('');
    }
    const counted = report.checks.filter((check) => check.status === 'fail').length;
    expect(report.summary.fail).toBe(counted);
  });

  it('differs between languages in its texts only', async () => {
    const reports = await Promise.all(
      LANGUAGES.map(
        async (language) =>
          JSON.parse(
            (await run(scenario('three faults'), ['--format', 'json', '--lang', language])).stdout,
          ) as ReportDocument,
      ),
    );
    const facts = reports.map(({ checks }) =>
      checks.map(({ id, target, status, findings }) => [
        id,
        target,
        status,
        findings.map(({ rule, evidence, location }) => [rule, evidence, location]),
      ]),
    );
    expect(facts[1]).toEqual(facts[0]);
    expect(facts[2]).toEqual(facts[0]);
    const words = reports.map(({ checks }) =>
      checks.map(({ title, documentedAction }) => `${title} ${documentedAction ?? ''}`).join(),
    );
    expect(new Set(words).size).toBe(3);
  });

  it('places a syntax error', async () => {
    const { stdout } = await run(scenario('three faults'), ['--format', 'json'], { as: runCli });
    const { checks } = JSON.parse(stdout) as ReportDocument;
    expect(checks[1]?.findings.map(({ rule, location }) => [rule, location])).toEqual([
      ['config/trailing-comma', { path: 'config.json', line: 3, column: 25 }],
    ]);
  });
});

const WORDS = {
  en: { pass: 'pass', warn: 'warn', fail: 'fail', skip: 'skip', unknown: 'unknown' },
  ro: { pass: 'reușit', warn: 'avertisment', fail: 'eșuat', skip: 'omis', unknown: 'necunoscut' },
  fr: { pass: 'réussi', warn: 'avertissement', fail: 'échec', skip: 'omis', unknown: 'inconnu' },
} as const;

describe.concurrent('pretty', () => {
  const widths = [
    { language: 'en', columns: 60 },
    { language: 'en', columns: 200 },
    { language: 'ro', columns: 60 },
    { language: 'fr', columns: 60 },
  ] as const;
  const rows = SCENARIOS.flatMap((row) => widths.map((width) => ({ ...row, ...width })));

  it.each(rows)('$name, in $language, at $columns columns', async (row) => {
    const file = join(mkdtempSync(join(tmpdir(), 'docvitals-pretty-')), 'report.json');
    const args = ['--lang', row.language, '--verbose', '--report', `json=${file}`];
    const { status, stdout, stderr } = await run(row, args, { columns: row.columns });
    expect({ status, stderr }).toEqual({ status: row.exit, stderr: '' });
    expect(stdout).not.toMatch(ACTING);
    const lines = stdout.split('\n');
    // An address of the documentation stays whole, so that terminals recognise it.
    const wide = lines.filter((line) => stringWidth(line) > row.columns && !/^ *https:\/\/docvitals\S+$/.test(line));
    expect(wide).toEqual([]);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    expect(stdout).not.toContain('\n\n\n');
    const report = JSON.parse(readFileSync(file, 'utf8')) as ReportDocument;
    const words = report.checks.map((check) => WORDS[row.language][check.status]);
    const marked = lines.filter((line) => /^[✓!✗?-] /.test(line)).map((line) => line.slice(2).split(' ')[0]);
    expect(marked).toEqual(words);
  });

  it('reports one cause once', async () => {
    for (const [name, rule] of [
      ['nothing listens', 'refused'],
      ['a dead proxy', 'proxy-failed'],
      ['redirects', 'redirected'],
    ] as const) {
      const { stdout } = await run(scenario(name), []);
      expect(stdout.match(new RegExp(`^  [a-z-]+/${rule}$`, 'gm'))).toHaveLength(1);
      expect(stdout.match(/Fix:|What to do:/g)).toHaveLength(1);
    }
  });

  it.each(LANGUAGES)('does not call failed what could not be determined (%s)', async (language) => {
    const { stdout } = await run(scenario('a dead proxy'), ['--lang', language], { columns: 200 });
    expect(stdout).not.toMatch(/fail(ed|ure)? for|au eșuat|ont échoué/);
  });

  it('reports one fix once and says where', async () => {
    const { stdout } = await run(scenario('missing pages'), [], { columns: 200 });
    const fixes = [...stdout.matchAll(/Fix: (.*)/g)].map(([, text]) => text);
    expect(fixes).toHaveLength(2);
    expect(fixes[0]).not.toContain('navigation/not-found');
    expect(fixes[1]).toContain('navigation/not-found');
  });

  it('shows the place of a fault with a caret under it', async () => {
    const { stdout } = await run(scenario('three faults'), [], { as: runCli });
    expect(stdout).toContain('config.json:3:25');
    const lines = stdout.split('\n');
    const at = lines.findIndex((line) => line.includes('"homePage": "index.md",'));
    expect(lines[at + 1]?.indexOf('^')).toBe(lines[at]?.lastIndexOf(','));
  });

  it('shows where a redirect leads', async () => {
    const { stdout } = await run(scenario('redirects'), [], { columns: 200 });
    expect(stdout).toContain('/elsewhere/index.html');
  });
});
