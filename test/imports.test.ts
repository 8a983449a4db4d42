/** The layers of the product (ARCHITECTURE.md): a folder imports lower layers only, and nothing imports itself. */
import { describe, expect, it } from 'vitest';
import { closureOf, files, imports, inside, type Import } from './imports.ts';

/** From the lowest to the highest. Folders of one layer do not import each other, except those of `TOGETHER`. */
const LAYERS: readonly (readonly string[])[] = [
  ['text', 'locales'],
  ['core: types'],
  ['parse'],
  ['http'],
  ['expect', 'engines', 'source'],
  ['site', 'crawl', 'browser'],
  ['checks'],
  ['core'],
  ['report', 'github', 'hosting'],
  ['wait', 'config'],
  ['options'],
  ['monitor', 'action', 'init'],
  ['cli', 'index'],
  ['build', 'bin'],
];

const TOGETHER: ReadonlySet<string> = new Set(['site', 'crawl']);

/** What all layers speak in: types, units, plain helpers. */
const TYPES: ReadonlySet<string> = new Set([
  ...[
    'answer',
    'base-url',
    'check',
    'concurrency',
    'define-check',
    'finding',
    'gathered',
    'limits',
    'time',
    'version',
  ].map((name) => `src/core/${name}.ts`),
  'src/http/failure.ts',
  'src/http/reasons.ts',
]);

/** What imports a higher layer, and why. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  // The configuration assembles the settings of the monitor and of its notification channels, which own them.
  'src/config/config.ts → src/monitor/settings.ts',
  'src/config/inspect.ts → src/monitor/alerts/channels/index.ts',
  'src/config/load.ts → src/monitor/read-settings.ts',
  'src/config/schema.ts → src/monitor/settings.ts',
  'src/config/schema.ts → src/monitor/settings-schema.ts',
]);

/** How many files of each folder have types that refer to each other in a circle. The numbers only become smaller. */
const TYPE_CYCLES: Readonly<Record<string, number>> = {
  // The rules are between a declaration and its evaluation.
  'checks/caching': 2,
  'checks/compression': 2,
  'checks/deployed-version': 2,
  'checks/links': 2,
  'checks/llms-txt': 2,
  'checks/negotiation': 2,
  'checks/not-found': 2,
  'checks/own': 2,
  'checks/rendered': 2,
  'checks/robots': 2,
  'checks/source': 2,
  'checks/tls': 2,
  'checks/translations': 2,
  'src/action': 2,
  'src/browser': 2,
  // A command's flags come from the registry that loads the command.
  'src/cli': 14,
  'src/config': 1,
  'src/core': 2,
  'src/crawl': 5,
  'src/engines': 2,
  'src/expect': 2,
  'src/http': 8,
  'src/monitor': 28,
  'src/parse': 8,
  // A format stands beside the table that it is in.
  'src/report': 12,
  'src/site': 5,
  'src/source': 3,
};

function folderOf(file: string): string {
  if (TYPES.has(file)) return 'core: types';
  if (file.startsWith('src/generated/')) return 'locales';
  return /^src\/([^/.]+)/.exec(file)?.[1] ?? file.split('/', 1)[0] ?? file;
}

const layerOf = (file: string): number => LAYERS.findIndex((folders) => folders.includes(folderOf(file)));

const shown = ({ from, to }: Import): string => `${from} → ${to}`;

function isUpwards({ from, to, typeOnly }: Import): boolean {
  const [one, other] = [folderOf(from), folderOf(to)];
  if (typeOnly || one === other || (TOGETHER.has(one) && TOGETHER.has(other))) return false;
  return layerOf(to) >= layerOf(from);
}

/** The groups of files in which each reaches each other (Tarjan), by what `counts` of their imports. */
function cycles(counts: (one: Import) => boolean): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const one of inside) if (counts(one)) next.set(one.from, [...(next.get(one.from) ?? []), one.to]);
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    let low = index;
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, order.get(to) ?? index);
    }
    lowest.set(file, low);
    if (low === index) groups.push(stack.splice(stack.indexOf(file)));
    return low;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return groups.filter(({ length }) => length > 1);
}

describe('the import graph', () => {
  it('was read', () => {
    expect(inside.map(shown)).toContain('src/expect/reply.ts → src/http/reasons.ts');
    expect(imports.some(({ to }) => to === 'undici')).toBe(true);
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
    expect([...TYPES].filter((file) => !files.includes(file))).toEqual([]);
  });

  it('leads from each layer into lower ones only, but for the exceptions', () => {
    const upwards = inside.filter(isUpwards).map(shown);
    expect(new Set(upwards)).toEqual(EXCEPTIONS);
  });

  it('has no cycle of values', () => {
    expect(cycles(({ typeOnly }) => !typeOnly)).toEqual([]);
  });

  it('has no cycle of types that the list does not have', () => {
    const sizes: Record<string, number> = {};
    for (const group of cycles(() => true)) {
      for (const file of group) {
        const folder = file.split('/').slice(0, 2).join('/');
        sizes[folder] = (sizes[folder] ?? 0) + 1;
      }
    }
    expect(sizes).toEqual(TYPE_CYCLES);
  });

  it('leads into undici from src/http only', () => {
    expect(imports.filter(({ from, to }) => to === 'undici' && folderOf(from) !== 'http').map(shown)).toEqual([]);
  });

  it('loads PostgreSQL’s packages only where a database is on a server', () => {
    const isPackage = ({ to }: Import): boolean => ['kysely', 'pg', 'pg-boss'].includes(to);
    const isOwn = (file: string): boolean => /^src\/monitor\/(?:store\/postgres|fleet)\//.test(file);
    expect(imports.filter((one) => isPackage(one) && !isOwn(one.from)).map(shown)).toEqual([]);
    expect(closureOf('src/cli/monitor.ts', { lazy: false }).filter(isOwn)).toEqual([]);
    expect(closureOf('src/cli/history.ts', { lazy: false }).filter(isOwn)).toEqual([]);
  });

  it('leads from the start of the command into nothing that only one command needs', () => {
    const folders = new Set(['action', 'checks', 'core', 'github', 'init', 'monitor', 'wait']);
    expect(closureOf('src/cli/main.ts', { lazy: false }).filter((file) => folders.has(folderOf(file)))).toEqual([
      'src/init/options.ts',
      'src/monitor/settings.ts',
    ]);
  });

  it('leads from the list of checks into nothing that only the whole site needs', () => {
    const reached = closureOf('checks/index.ts', { lazy: false });
    expect(reached).toContain('checks/links/check.ts');
    expect(
      reached.filter((file) => /\/(?:evaluate|gather)\.ts$|^src\/(?:crawl|source)\/|html-elements/.test(file)),
    ).toEqual([]);
  });
});
