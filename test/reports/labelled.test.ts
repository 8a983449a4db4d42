/** Evidence as people read it in each report of the built command: with labels, in three languages. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fieldOf } from '../../src/report/facts.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { runHere } from '../cli/run-here.ts';
import { listen } from '../site/host.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><script src="gone.js"></script>'],
  'config.json': ['application/json', '{\n  "homePage": "index.md",\n}\n'],
  'navigation.md': ['application/octet-stream', '- [Home](index.md)\n- [Guide](Guide.md)\n- [Gone](gone.md)\n'],
  'index.md': ['text/markdown', '# Docs\n\n[x](navigation.md#nope)\n'],
  'guide.md': ['text/markdown', '# Guide\n'],
  'robots.txt': ['text/plain', 'User-agent: *\nDisallow: /\n'],
};
const folder = mkdtempSync(join(tmpdir(), 'docvitals-labelled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An nginx that sends its bundle for missing files, and lets browsers keep everything for 30 days. */
const host = await listen((request, response) => {
  const [type, body] = FILES[(request.url ?? '').slice(1) || 'index.html'] ?? FILES['index.html'] ?? [];
  response.writeHead(200, { 'content-type': type, server: 'nginx', 'cache-control': 'max-age=2592000' }).end(body);
});
afterAll(() => host.close());

/** The deployed folder, in which one page has other words. */
function source(): string {
  for (const [name, [, body]] of Object.entries(FILES)) {
    const file = join(folder, 'source', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, name === 'guide.md' ? '# Guide, rewritten\n' : body);
  }
  return join(folder, 'source');
}

interface Told {
  readonly checks: readonly {
    readonly facts?: object;
    readonly findings: readonly { readonly evidence: object }[];
  }[];
}

const EXPECTED = {
  en: [
    'Lifetime in caches: 30 days (2,592,000 s)',
    '.md: engine bundle',
    'Kind of host determined by: a response header',
  ],
  ro: [
    'Durată în cache: 30 de zile (2.592.000 s)',
    '.md: pachetul motorului',
    'Tipul gazdei determinat de: un antet de răspuns',
  ],
  fr: [
    'Durée en cache : 30 jours (2 592 000 s)',
    '.md : bundle du moteur',
    'Type d’hébergeur déterminé par : un en-tête de réponse',
  ],
} as const;

it('has a label and a formatted value for each field, in each language and format', async () => {
  const given = source();
  for (const language of LANGUAGES) {
    const file = (format: string): string => join(folder, `${language}.${format}`);
    const reports = ['json', 'html', 'markdown', 'junit'].flatMap((format) => [
      '--report',
      `${format}=${file(format)}`,
    ]);
    const run = await runHere(['check', host.url, '--full', '--source', given, '--lang', language, ...reports], {
      env: { COLUMNS: '500' },
    });
    const json = JSON.parse(readFileSync(file('json'), 'utf8')) as Told;
    const told = json.checks.flatMap(({ facts, findings }) => [
      facts ?? {},
      ...findings.map(({ evidence }) => evidence),
    ]);
    const names = [...new Set(told.flatMap((evidence) => Object.keys(evidence)))];
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => fieldOf(name, 'en') === undefined)).toEqual([]);
    const raw = new RegExp(`(?<![\\w/.\`])(?:${names.filter((name) => /[A-Z]/.test(name)).join('|')})(?![\\w/.\`])`);
    const texts = [
      run.stdout,
      readFileSync(file('html'), 'utf8').replaceAll(/<style[^]*?<\/style>|<\/?[a-z][^>]*>/g, ' '),
      readFileSync(file('markdown'), 'utf8'),
      readFileSync(file('junit'), 'utf8'),
    ];
    for (const text of texts) expect(raw.exec(text)?.[0]).toBeUndefined();
    const pretty = run.stdout.replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const line of EXPECTED[language]) expect(pretty).toContain(line);
  }
});
