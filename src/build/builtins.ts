/**
 * Takes Node's own modules without importing them. An `import` of one from an ES module makes a list of all that it
 * exports, which loads what most of them load lazily: `node:http` takes seven times as long so. What
 * `process.getBuiltinModule` hands out is the module and no more; and of the modules that take long even so, nothing is
 * loaded before something of it is used.
 */

/** An `import` of a built-in module as a statement of its own; those of types are taken out by esbuild. */
const IMPORT =
  /^import\s+(?!type\s)(?:([\w$]+)\s*(?:,\s*)?)?(?:\*\s*as\s+([\w$]+)\s+|\{([^}]*)\}\s*)?from\s*(["'])(node:[\w/]+)\4;?/gm;

/** What takes a millisecond or more to load where nothing else has loaded it. */
const SLOW: ReadonlySet<string> = new Set(
  `child_process crypto dns fs/promises http http2 https module net os readline/promises tls tty worker_threads zlib`
    .split(' ')
    .map((name) => `node:${name}`),
);

/** A module's source with its imports of built-in modules as constants. Lines keep their numbers. */
export function withoutBuiltinImports(source: string): string {
  return source.replace(IMPORT, (whole, ...groups: readonly (string | undefined)[]) => {
    const [name, namespace, names = '', , builtin = ''] = groups;
    const wholes = [name, namespace].filter((one) => one !== undefined);
    const constants = [
      ...wholes.map((one) => `${one} = ${wholeOf(builtin)}`),
      ...importsOf(names).map(([imported, local]) => `${local} = ${memberOf(builtin, imported)}`),
    ];
    return `const ${constants.join(', ')};${'\n'.repeat(whole.split('\n').length - 1)}`;
  });
}

/** `a, b as c, type D` as `[['a', 'a'], ['b', 'c']]`. */
function importsOf(names: string): [imported: string, local: string][] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [imported = '', local = imported] = name.split(/\s+as\s+/);
      return [imported, local];
    });
}

function wholeOf(builtin: string): string {
  return SLOW.has(builtin) ? `new Proxy({}, { get: (_, name) => ${taken(builtin)}[name] })` : taken(builtin);
}

/** Functions and classes that are slow to load stand in for themselves until they are called. */
function memberOf(builtin: string, name: string): string {
  const member = `${taken(builtin)}.${name}`;
  const module = process.getBuiltinModule(builtin) as Members;
  const value = module[name];
  // What Node itself loads when it is read, such as `BlockList`.
  const isSlow = SLOW.has(builtin) || Object.getOwnPropertyDescriptor(module, name)?.get !== undefined;
  // What `promisify` knows another form of is not a plain function.
  if (!isSlow || typeof value !== 'function' || Object.getOwnPropertySymbols(value).length > 0) return member;
  if (!/^[A-Z]/.test(value.name)) return `(...given) => ${member}(...given)`;
  return `new Proxy(function () {}, { construct: (_, given) => new (${member})(...given), get: (_, name) => ${member}[name] })`;
}

type Members = Readonly<Record<string, unknown>>;

/** `process` may be a name of the module's own. */
function taken(builtin: string): string {
  return `globalThis.process.getBuiltinModule('${builtin}')`;
}
