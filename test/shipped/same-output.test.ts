/**
 * The built command against the sources: both run with a clock that stands still, on the same server and the same
 * database, so that whatever one prints or writes must equal what the other does, byte for byte.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/formats.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { run } from '../../src/cli/main.ts';
import { inSurroundings, runHere } from '../cli/run-here.ts';
import { runCli, type RunOptions, type RunResult } from '../cli/run.ts';
import { listen, type Host } from '../site/host.ts';
import { install } from './package.ts';

const CLOCK = `
const at = Date.UTC(2026, 10, 22, 12);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [at] : given)); }
  static now() { return at; }
};
process.hrtime.bigint = () => 0n;
performance.now = () => 0;
`;

const SOURCE = path.join(import.meta.dirname, 'source.ts');

/** Typographic characters of the three languages, and characters beyond the basic plane. */
const TITLE = 'Țară × été · “mână” – ș ← œuvre 𝄞 🧭';

/** A site whose faults bring evidence, excerpts and locations into the reports. */
const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/index.html': ['text/html', `<!doctype html><title>${TITLE}</title><div id="app"></div>`],
  '/config.json': ['application/json', `{ "title": "${TITLE}", }\n`],
  '/navigation.md': [
    'text/markdown',
    `# ${TITLE}\n\n- [Home](index.md)\n- [${TITLE}](lipsă-№1.md)\n- [×](lipsă-№2.md)\n`,
  ],
  '/index.md': ['text/markdown', `<p>${TITLE}</p>\n`],
  '/llms.txt': ['text/html', `# ${TITLE}\n`],
};

let bin: string;
let host: Host;
let folder: string;

beforeAll(async () => {
  ({ bin } = await install('same-output'));
  host = await listen(({ url }, response) => {
    const [type, body] = FILES[url ?? ''] ?? [];
    if (type === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-shipped-'));
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await host.close();
});

/** Runs the same with the built command and with the sources. */
async function both(args: (side: string) => readonly string[], options: RunOptions = {}): Promise<RunResult[]> {
  const sides = { built: bin, source: SOURCE };
  return Promise.all(
    Object.entries(sides).map(([side, file]) => runCli(args(side), { ...options, bin: file, preload: CLOCK })),
  );
}

const printed = ({ status, stdout, stderr }: RunResult) => ({ status, stdout, stderr });

/** The files that a side wrote, by their paths. */
function written(side: string): Record<string, string> {
  const files = globSync('**/*', { cwd: path.join(folder, side), withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      path.relative(path.join(folder, side), path.join(parentPath, name)),
      readFileSync(path.join(parentPath, name)).toString('utf8'),
    ]),
  );
}

/** UTF-8 that was read as Latin-1 or Windows-1252, and what is not UTF-8 at all. */
const GARBLED = /[ÂÃÈÅâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œ]|\ufffd/u;

it('writes every report in every language as the sources do, with every character intact', async () => {
  const garbled = (): readonly string[] =>
    Object.entries(written('built')).flatMap(([name, text]) => (GARBLED.test(text) ? [name] : []));
  for (const language of LANGUAGES) {
    const reports = (side: string) =>
      FORMAT_NAMES.flatMap((format) => ['--report', `${format}=${path.join(folder, side, `${language}.${format}`)}`]);
    const [built, source] = await both((side) => {
      mkdirSync(path.join(folder, side), { recursive: true });
      return ['check', host.url, '--full', '--verbose', '--lang', language, ...reports(side)];
    });
    expect([built?.stdout.match(GARBLED), garbled()]).toEqual([null, []]);
    expect(built && printed(built)).toEqual(source && printed(source));
    expect([built?.status, built?.stderr]).toEqual([1, '']);
  }
  const built = written('built');
  expect(built).toEqual(written('source'));
  expect(Object.keys(built)).toHaveLength(LANGUAGES.length * FORMAT_NAMES.length);
  for (const language of LANGUAGES) {
    expect(built[`${language}.html`]).toContain('<span class="times">×2</span>');
    for (const format of ['pretty', 'html', 'markdown']) expect(built[`${language}.${format}`]).toContain(TITLE);
  }
}, 120_000);

it('writes the status page, incidents, feeds and badges as the sources do', async () => {
  const project = path.join(folder, 'project');
  mkdirSync(project);
  const config = { sites: [{ id: 'docs', url: host.url, title: TITLE, confirm: { times: 2 } }] };
  writeFileSync(path.join(project, 'docvitals.json'), JSON.stringify(config));
  const once = await runCli(['monitor', '--once'], { bin, preload: CLOCK, cwd: project });
  expect(once).toMatchObject({ status: 1, stderr: expect.stringMatching(/^\{.*"incident-opened".*\}\n$/) });

  const [built, source] = await both((side) => ['status', 'export', path.join(folder, side, 'page')], { cwd: project });
  const pages = Object.entries(written('built')).filter(([name]) => name.startsWith('page'));
  expect(pages.filter(([, text]) => GARBLED.test(text)).map(([name]) => name)).toEqual([]);
  expect([built, source].map((side) => [side?.status, side?.stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(pages).toEqual(Object.entries(written('source')).filter(([name]) => name.startsWith('page')));
  expect(pages.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^page.index\.html$/),
      expect.stringMatching(/^page.ro.sites.docs.index\.html$/),
      expect.stringMatching(/^page.fr.incidents.[\w-]+.index\.html$/),
      expect.stringMatching(/^page.feed\.atom$/),
      expect.stringMatching(/^page.badge.docs\.svg$/),
    ]),
  );
  const sitePages = pages.filter(([name]) => /sites.docs.index\.html$/.test(name));
  expect(sitePages.map(([, text]) => text.includes(TITLE))).toEqual(LANGUAGES.map(() => true));

  for (const [at, command] of ['status', 'incidents', 'history'].entries()) {
    const [one, other] = await both(() => [command, '--lang', LANGUAGES[at] ?? 'en'], { cwd: project });
    expect(one && printed(one)).toEqual(other && printed(other));
    expect(one?.stdout).not.toMatch(GARBLED);
  }
}, 120_000);

it('prints texts, help and files as the sources do', async () => {
  const commands = [
    ['--help'],
    ['explain', 'links', '--lang', 'ro'],
    ['explain', 'config', '--lang', 'fr'],
    ['hosting', 'server'],
    ['example', 'systemd-service'],
  ];
  for (const command of commands) {
    const built = await runHere(command);
    const surroundings = { cwd: folder, env: { LC_ALL: 'C', NO_COLOR: '1' } };
    const { result: status, stdout, stderr } = await inSurroundings(surroundings, () => run(command));
    expect({ command, ...built }).toEqual({ command, status, stdout, stderr });
    expect(built.stderr).toBe('');
    expect(built.stdout).not.toMatch(GARBLED);
  }
});
