/**
 * Takes away files that only hand on what is in others: esbuild writes one for every entry whose module shares a file
 * with more, and finding it takes longer than reading it.
 */

/** A file of the bundle: its name and its text. */
export type Files = ReadonlyMap<string, string>;

/** What a facade hands on: names, and the file and name that each is exported from. */
interface Facade {
  readonly from: string;
  readonly names: ReadonlyMap<string, string>;
}

/** As esbuild writes it without comments: imports, of which one has names, and an export of these. */
const FACADE = /^import\{([^}]+)\}from"\.\/([\w.-]+)";(?:import"\.\/[\w.-]+";)*export\{([^}]+)\};\n$/;

/**
 * The same files without the facades: dynamic imports lead to the files themselves.
 *
 * @param entry the one that is loaded by its name; it takes the place of what it hands on
 */
export function withoutFacades(files: Files, entry: string): Files {
  const facades = new Map<string, Facade>();
  for (const [name, text] of files) {
    const facade = facadeOf(text);
    if (facade !== null) facades.set(name, facade);
  }
  const own = facades.get(entry);
  const left = [...files].filter(([name]) => !facades.has(name));
  return new Map(
    left.map(([name, text]) => {
      const isEntry = name === own?.from;
      const linked = relinked(isEntry ? exporting(text, own.names) : text, facades);
      return [
        isEntry ? entry : name,
        own === undefined ? linked : linked.replaceAll(`"./${own.from}"`, `"./${entry}"`),
      ];
    }),
  );
}

function facadeOf(text: string): Facade | null {
  const [, imported, from = '', exported] = FACADE.exec(text) ?? [];
  if (imported === undefined || exported === undefined) return null;
  // `a as b`: of the imports what b stands for, of the exports what b is called.
  const sources = new Map(pairsOf(imported).map(([source, local]) => [local, source]));
  const names = pairsOf(exported).map(([local, name]) => [name, sources.get(local) ?? local] as const);
  return { from, names: new Map(names) };
}

function pairsOf(names: string): [first: string, second: string][] {
  return names.split(',').map((name) => {
    const [first = '', second = first] = name.split(' as ');
    return [first, second];
  });
}

/** Dynamic imports of facades as those of what is behind them. */
function relinked(text: string, facades: ReadonlyMap<string, Facade>): string {
  return text.replaceAll(/import\("\.\/([\w.-]+)"\)/g, (whole, name: string) => {
    const facade = facades.get(name);
    if (facade === undefined) return whole;
    const members = [...facade.names].map(([own, source]) => `${own}:m.${source}`).join(',');
    return `import("./${facade.from}").then(m=>({${members}}))`;
  });
}

/** A file that exports some of its exports by further names. */
function exporting(text: string, names: ReadonlyMap<string, string>): string {
  const start = text.lastIndexOf('export{');
  const locals = new Map(pairsOf(text.slice(start + 7, text.lastIndexOf('}'))).map(([local, name]) => [name, local]));
  const more = [...names].map(([name, source]) => `${locals.get(source) ?? source} as ${name}`).join(',');
  return `${text.slice(0, start)}export{${more},${text.slice(start + 7)}`;
}
