import { describe, expect, it } from 'vitest';
import { closureOf, files, imports, inside, type Import } from './imports.ts';

/**
 * The areas that each area may import from. `cli` may import all, and nothing imports it but the documentation site
 * (`src/build/site`), which documents all of it and is imported by nothing.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  vocabulary: [],
  limits: [],
  version: [],
  parse: ['concurrency', 'printable'],
  'address-scope': [],
  concurrency: [],
  secrets: ['http'],
  'shell-word': [],
  'base-url': [],
  expect: ['parse', 'vocabulary'],
  engines: ['parse', 'vocabulary'],
  browser: ['address-scope', 'http', 'generated', 'output', 'vocabulary'],
  site: ['engines', 'host-product', 'concurrency', 'crawl', 'expect', 'parse', 'shell-word', 'vocabulary'],
  crawl: ['concurrency', 'engines', 'expect', 'parse', 'site', 'vocabulary'],
  source: ['concurrency', 'parse', 'vocabulary'],
  hosting: ['generated', 'vocabulary'],
  checks: [
    'address-scope',
    'browser',
    'crawl',
    'engines',
    'concurrency',
    'define-check',
    'expect',
    'parse',
    'shell-word',
    'vocabulary',
    'site',
    'source',
  ],
  http: ['address-scope', 'vocabulary'],
  verdict: ['vocabulary'],
  'define-check': ['locales', 'vocabulary'],
  run: ['host-product', 'http', 'limits', 'secrets', 'vocabulary', 'site', 'verdict', 'engines'],
  'check-site': [
    'base-url',
    'browser',
    'http',
    'concurrency',
    'limits',
    'parse',
    'run',
    'secrets',
    'version',
    'vocabulary',
  ],
  texts: ['engines', 'host-product', 'vocabulary'],
  'host-product': ['vocabulary'],
  locales: ['texts'],
  printable: [],
  'text-width': ['wide-text'],
  'wide-text': [],
  output: ['locales', 'printable'],
  wait: ['check-site', 'define-check', 'expect', 'http', 'limits', 'run', 'verdict', 'vocabulary'],
  project: [
    'browser',
    'parse',
    'base-url',
    'check-site',
    'checks',
    'config',
    'hosting',
    'http',
    'limits',
    'locales',
    'output',
    'printable',
    'report',
    'source',
    'text-width',
    'texts',
    'vocabulary',
    'wait',
    'engines',
  ],
  github: ['http', 'parse', 'version', 'vocabulary'],
  init: [
    'address-scope',
    'base-url',
    'config',
    'hosting',
    'locales',
    'output',
    'printable',
    'project',
    'shell-word',
    'text-width',
    'texts',
    'vocabulary',
    'engines',
    'parse',
    'site',
    'source',
  ],
  action: [
    'base-url',
    'browser',
    'check-site',
    'config',
    'github',
    'locales',
    'output',
    'parse',
    'printable',
    'project',
    'report',
    'secrets',
    'texts',
    'verdict',
    'version',
    'vocabulary',
    'wait',
  ],
  monitor: [
    'address-scope',
    'concurrency',
    'base-url',
    'check-site',
    'checks',
    'config',
    'expect',
    'generated',
    'github',
    'secrets',
    'hosting',
    'http',
    'limits',
    'locales',
    'output',
    'parse',
    'printable',
    'project',
    'report',
    'source',
    'text-width',
    'texts',
    'verdict',
    'version',
    'vocabulary',
    'wait',
    'engines',
  ],
  report: ['browser', 'generated', 'locales', 'printable', 'text-width', 'texts', 'verdict', 'vocabulary'],
  // It assembles the settings of the monitor and of its notification channels, which own them.
  config: [
    'expect',
    'generated',
    'hosting',
    'http',
    'limits',
    'locales',
    'monitor',
    'parse',
    'printable',
    'texts',
    'vocabulary',
    'engines',
  ],
  index: [
    'config',
    'base-url',
    'check-site',
    'checks',
    'http',
    'limits',
    'report',
    'run',
    'site',
    'texts',
    'verdict',
    'vocabulary',
    'wait',
    'engines',
  ],
  build: [
    'checks',
    'config',
    'engines',
    'expect',
    'host-product',
    'locales',
    'monitor',
    'report',
    'texts',
    'vocabulary',
  ],
};

/** What all areas speak in: types, plain lists and units, wherever the code that makes them sits. */
const VOCABULARY = new Set([
  'src/time.ts',
  'src/check.ts',
  'src/answer.ts',
  'src/source/types.ts',
  'src/http/reasons.ts',
  'src/http/failure.ts',
  'checks/own/definition.ts',
  'src/monitor/settings.ts',
  'src/generated/config-file.ts',
  'src/monitor/incident/incident.ts',
]);

/** `src/http/get.ts` is of `http`, `src/run.ts` of `run`, anything under `checks/` of `checks`. */
function areaOf(file: string): string {
  if (VOCABULARY.has(file)) return 'vocabulary';
  if (file.startsWith('src/generated/locales/')) return 'locales';
  if (file.startsWith('src/build/site')) return 'documentation';
  return /^src\/([^/.]+)/.exec(file)?.[1] ?? file.split('/', 1)[0] ?? file;
}

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

/** A way along the imports from a file back to itself, if there is one. */
function cycleFrom(start: string, next: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const search = (file: string, way: string[]): string[] | undefined => {
    for (const to of next.get(file) ?? []) {
      if (to === start) return [...way, to];
      if (seen.has(to)) continue;
      seen.add(to);
      const found = search(to, [...way, to]);
      if (found) return found;
    }
    return undefined;
  };
  return search(start, [start]);
}

describe('the import graph', () => {
  it('was read', () => {
    expect(inside.map(shown)).toContain('src/expect/reply.ts → src/http/reasons.ts');
    expect(imports.some(({ to }) => to === 'undici')).toBe(true);
  });

  it.each(Object.entries(ALLOWED))('%s imports only from its own and %j', (area, allowed) => {
    const wrong = inside.filter(({ from, to, typeOnly }) => {
      if (areaOf(from) !== area || areaOf(to) === area) return false;
      // The vocabulary's types are free for all, and say in types what others made.
      if (typeOnly && [areaOf(from), areaOf(to)].includes('vocabulary')) return false;
      return !allowed.includes(areaOf(to));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it('has no area that this test does not know', () => {
    const known = new Set([...Object.keys(ALLOWED), 'cli', 'bin', 'documentation']);
    expect(files.filter((file) => !known.has(areaOf(file)))).toEqual([]);
  });

  it('leads nowhere into cli and the documentation site', () => {
    const free = new Set(['cli', 'documentation']);
    expect(inside.filter(({ from, to }) => areaOf(to) === 'cli' && !free.has(areaOf(from))).map(shown)).toEqual([]);
    const isIntoDocumentation = ({ from, to }: Import): boolean =>
      areaOf(to) === 'documentation' && areaOf(from) !== 'documentation';
    expect(inside.filter(isIntoDocumentation).map(shown)).toEqual([]);
  });

  it('leads into undici from src/http only', () => {
    expect(imports.filter(({ from, to }) => to === 'undici' && areaOf(from) !== 'http').map(shown)).toEqual([]);
  });

  it('loads PostgreSQL’s packages only where a database is on a server', () => {
    const isPackage = ({ to }: Import): boolean => ['kysely', 'pg', 'pg-boss'].includes(to);
    const isOwn = (file: string): boolean => /^src\/monitor\/(?:store\/postgres|fleet)\//.test(file);
    expect(imports.filter((one) => isPackage(one) && !isOwn(one.from)).map(shown)).toEqual([]);
    expect(closureOf('src/cli/monitor.ts', { lazy: false }).filter(isOwn)).toEqual([]);
    expect(closureOf('src/cli/history.ts', { lazy: false }).filter(isOwn)).toEqual([]);
  });

  it('leads from the start of the command into nothing that only one command needs', () => {
    const areas = new Set(['action', 'checks', 'github', 'init', 'monitor', 'run', 'wait']);
    expect(closureOf('src/cli/main.ts', { lazy: false }).filter((file) => areas.has(areaOf(file)))).toEqual([
      'src/init/options.ts',
    ]);
  });

  it('leads from the list of checks into nothing that only the whole site needs', () => {
    const reached = closureOf('checks/index.ts', { lazy: false });
    expect(reached).toContain('checks/links/check.ts');
    expect(
      reached.filter((file) => /\/(?:implementation|gather)\.ts$|^src\/(?:crawl|source)\/|html-elements/.test(file)),
    ).toEqual([]);
  });

  it('has no cycle', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, typeOnly } of inside) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
    expect(files.flatMap((file) => cycleFrom(file, next)?.join(' → ') ?? [])).toEqual([]);
  });
});
