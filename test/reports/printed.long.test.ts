/** What is printed in a step of a GitHub workflow: no command but our own, and what programs read means the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocument } from '../../src/report/document.ts';
import { FORMAT_NAMES, loadFormat, SHOWN_AS_IS, type FormatName } from '../../src/report/formats.ts';
import { shown } from '../../src/text/printable.ts';
import { runCli } from '../cli/run.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { HOSTILE_ROWS, hostileReport } from './hostile.ts';
import { readRunnerOutput } from './runner.ts';
import { locateInDocs, optionsIn } from './samples.ts';
import type { SarifLog } from './sarif-log.ts';

const OWNED = '##[stop-commands]tok';
const FILE = `::error file=x::owned${OWNED}.md`;
const options = await optionsIn('en');

async function printed(format: FormatName, text: string): Promise<string> {
  const make = await loadFormat(format);
  const made = make(hostileReport(text), { ...options, locate: locateInDocs });
  return SHOWN_AS_IS.has(format) ? shown(made, { GITHUB_ACTIONS: 'true' }) : made;
}

const namesOf = (output: string): readonly string[] => readRunnerOutput(output).commands.map(({ name }) => name);

const PLAIN = new Map(
  await Promise.all(FORMAT_NAMES.map(async (format) => [format, namesOf(await printed(format, 'plain'))] as const)),
);

describe('what is printed on a runner', () => {
  it('has no commands but those of the format that is made of them', () => {
    expect([...PLAIN].filter(([, names]) => names.length > 0).map(([format]) => format)).toEqual(['github']);
  });

  const texts = [
    ...HOSTILE_ROWS.map(({ name, text }) => ({ name, text: text.slice(0, 2_000) })),
    { name: 'a page with the name of a command', text: FILE },
    { name: 'a command on a line of its own', text: `a\n  ${FILE}\n${OWNED}` },
    { name: 'brackets after many signs', text: '###[error]x ## [error]x #[error]x' },
  ];
  const rows = texts.flatMap((row) => FORMAT_NAMES.map((format) => ({ ...row, format })));

  it.each(rows)('$format, $name: the same commands as of a plain text', async ({ format, text }) => {
    expect(namesOf(await printed(format, text))).toEqual(PLAIN.get(format));
  });
});

describe('what would be a command', () => {
  it('is the same in JSON', async () => {
    const whole = toDocument(hostileReport(FILE), options.texts, locateInDocs);
    expect(JSON.parse(await printed('json', FILE))).toEqual(JSON.parse(JSON.stringify(whole)));
  });

  it('is the same in SARIF', async () => {
    const { runs } = JSON.parse(await printed('sarif', FILE)) as SarifLog;
    expect(runs[0]?.results[0]).toMatchObject({ properties: { evidence: { value: FILE } } });
  });

  it.each(['junit', 'html'] as const)('is the same in %s', async (format) => {
    const source = await printed(format, FILE);
    const asItIs = source.replaceAll('##&#91;', '##[').replaceAll('&#58;:', '::');
    expect(asItIs).not.toBe(source);
    const textsOf = (text: string) => JSON.stringify(textIn(parseDocument(text, { xmlMode: format === 'junit' })));
    expect(textsOf(source)).toBe(textsOf(asItIs));
    expect(textsOf(source)).toContain(FILE);
  });
});

/** The text of a document, each node's on its own. */
function textIn(node: object): readonly string[] {
  if ('data' in node && typeof node.data === 'string') return [node.data];
  return 'children' in node && Array.isArray(node.children) ? node.children.flatMap(textIn) : [];
}

describe('the command on a runner', () => {
  let host: Host;
  beforeAll(async () => {
    const site = sampleSite();
    site.set('config.json', `{ "title": "Docs" ${OWNED} }\n`);
    site.set('navigation.md', `# Docs\n\n- [Home](index.md)\n- [Gone](<${FILE}>)\n`);
    host = await startHost(site);
  });
  afterAll(() => host.close());

  it.each(FORMAT_NAMES.filter((format) => format !== 'github'))('prints %s', async (format) => {
    const env = { GITHUB_ACTIONS: 'true' };
    const args = ['--full', '--retries', '0', '--verbose', '--format', format];
    const { stdout, status } = await runCli(['check', host.url, ...args], { env });
    expect([status, namesOf(stdout)]).toEqual([1, []]);
    expect(stdout.includes('owned')).toBe(format !== 'prometheus');
  });

  it('reports how far a waiting is', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-printed-'));
    writeFileSync(path.join(folder, `${OWNED}.md`), '# New\n');
    const args = ['check', host.url, '--retries', '0', '--wait', '5s', '--source', folder];
    const { stdout, stderr } = await runCli(args, { env: { GITHUB_ACTIONS: 'true' } });
    rmSync(folder, { recursive: true });
    expect([namesOf(stderr), namesOf(stdout)]).toEqual([[], []]);
    expect(stderr).toContain('stop-commands');
  });
});
