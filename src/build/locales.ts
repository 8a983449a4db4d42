/**
 * Compiles the words of the interface: `src/locales/<language>.yaml` → `src/generated/locales/<part>.ts`, one module for
 * each top-level key, with a function that returns that part's words in one language.
 *
 * A key is a name, or a name with its parameters: `written(count)`, `unknown-key({name, nearest})`. A message is in ICU
 * MessageFormat (https://unicode-org.github.io/icu/userguide/format_parse/messages/) with these formats:
 * `{n, number}` (grouped digits), `{ms, seconds}`, `{items, join}` (a, b), `{items, list}` (a and b). In `select`, `none`
 * matches `null`, `undefined` and the empty text, and `_` in the name of a case for `-`.
 */
import { parse, type Token } from '@messageformat/parser';
import { parse as parseYaml } from 'yaml';
import { LANGUAGES, type Language } from '../texts.ts';
import { BuildError, readSource, writeOutput } from './output.ts';

type Tree = { readonly [key: string]: string | null | readonly string[] | Tree };

/** The type of a parameter follows from how it is used. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  seconds: 'number',
  join: 'readonly string[]',
  list: 'readonly string[]',
};

export async function buildLocales(): Promise<void> {
  const trees = await Promise.all(
    LANGUAGES.map(
      async (language) => [language, parseYaml(await readSource(`src/locales/${language}.yaml`)) as Tree] as const,
    ),
  );
  const english = trees[0]?.[1] ?? {};
  const mistakes = trees.flatMap(([language, tree]) => differences(language, english, tree));
  if (mistakes.length > 0) throw new BuildError(`locales:\n${mistakes.join('\n')}`);
  await Promise.all([...Object.keys(english).map((part) => writePart(part, trees)), writeHelp()]);
}

/** The help of the commands: by its English text, in the other languages. */
async function writeHelp(): Promise<void> {
  const entries = parseYaml(await readSource('src/locales/help.yaml')) as readonly Readonly<Record<Language, string>>[];
  const texts = (language: Language) => Object.fromEntries(entries.map((entry) => [entry.en, entry[language]]));
  const code = JSON.stringify({ ro: texts('ro'), fr: texts('fr') }, null, 2);
  await writeOutput('src/generated/locales/help.ts', `export const help = ${code};\n`);
}

async function writePart(part: string, trees: readonly (readonly [Language, Tree])[]): Promise<void> {
  const name = part.replaceAll(/-./g, (match) => match.slice(1).toUpperCase());
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Words`;
  const parts = trees.map(([, tree]) => tree[part] as Tree);
  const code = trees.map(([language], index) => {
    const object = objectCode(parts, index, language, `${language}.yaml: ${part}`);
    return `const ${language}${language === 'en' ? '' : `: ${type}`} = ${object};`;
  });
  await writeOutput(
    `src/generated/locales/${part}.ts`,
    `import * as format from '../../locales/format.ts';

export type ${type} = typeof en;
${code.join('\n')}

/** The words of one language. */
export const ${name}Words = (language: format.Language): ${type} => ({ en, ro, fr })[language];
`,
  );
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that one language has and the other has not. */
function differences(language: Language, english: Tree, other: Tree, path = ''): string[] {
  return [...new Set([...Object.keys(english), ...Object.keys(other)])].flatMap((key) => {
    const [one, two] = [english[key], other[key]];
    if (one === undefined || two === undefined) {
      return [`${one === undefined ? 'en' : language}.yaml: ${path}${key} is missing`];
    }
    if (isTree(one) && isTree(two)) return differences(language, one, two, `${path}${key}.`);
    return isTree(one) === isTree(two) ? [] : [`${language}.yaml: ${path}${key} has another shape than in en.yaml`];
  });
}

/** The code of an object; `trees`: it in all languages, `index`: the language. */
function objectCode(trees: readonly Tree[], index: number, language: Language, path: string): string {
  const members = Object.keys(trees[index] ?? {}).map((key) => {
    const values = trees.map((tree) => tree[key]);
    const value = values[index];
    const [, name = key, parameters] = /^(.*?)\((.*)\)$/s.exec(key) ?? [];
    const where = `${path}.${key}`;
    const text = (message: string): string => codeOf(tokensOf(message, where), language);
    if (value === null) return `${JSON.stringify(name)}: null`;
    if (isTree(value)) return `${JSON.stringify(name)}: ${objectCode(values as Tree[], index, language, where)}`;
    if (Array.isArray(value)) return `${JSON.stringify(name)}: [${value.map(text).join(', ')}] as readonly string[]`;
    const all = values.map((message) => typesIn(tokensOf(typeof message === 'string' ? message : '', where)));
    const list = parametersOf(parameters, all, all[index] ?? new Map(), where);
    return `${JSON.stringify(name)}: ${list === null ? '' : `${list}: string => `}${text(typeof value === 'string' ? value : '')}`;
  });
  return `{\n${members.join(',\n')}\n}`;
}

/** The list of parameters as code; `null`: the message has none. `all`: the types that each language gives them. */
function parametersOf(declared: string | undefined, all: readonly Types[], used: Types, where: string): string | null {
  const names: readonly string[] = declared?.match(/\w+/g) ?? [];
  const unknown = [...used.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new BuildError(`locales: ${where}: not declared in the key: ${unknown.join(', ')}`);
  if (declared === undefined) return null;
  const typeOf = (name: string): string =>
    ORDER.find((type) => all.some((types) => types.get(name) === type)) ?? 'unknown';
  if (!declared.startsWith('{')) {
    return `(${names.map((name) => `${used.has(name) ? '' : '_'}${name}: ${typeOf(name)}`).join(', ')})`;
  }
  const fields = names.map((name) => `readonly ${name}${typeOf(name) === 'format.Value' ? '?' : ''}: ${typeOf(name)}`);
  return `({ ${names.filter((name) => used.has(name)).join(', ')} }: { ${fields.join('; ')} })`;
}

function tokensOf(message: string, where: string): readonly Token[] {
  try {
    return parse(message);
  } catch (error) {
    throw new BuildError(`locales: ${where}: ${String(error).split('\n', 1)[0]} in ${message}`);
  }
}

type Types = Map<string, string>;

/** A parameter that is used in several ways has the first of these types. */
const ORDER = ['number', 'readonly string[]', 'format.Value', 'string | number'];

/** The types of the parameters, from how they are used. */
function typesIn(tokens: readonly Token[], types: Types = new Map()): Types {
  const use = (name: string, type: string): void => {
    const known = types.get(name);
    if (known === undefined || ORDER.indexOf(type) < ORDER.indexOf(known)) types.set(name, type);
  };
  for (const token of tokens) {
    if (token.type === 'argument') use(token.arg, 'string | number');
    else if (token.type === 'function') use(token.arg, TYPES[token.key] ?? 'string | number');
    else if (token.type === 'plural' || token.type === 'select' || token.type === 'selectordinal') {
      use(token.arg, token.type === 'select' ? 'format.Value' : 'number');
      for (const { tokens: inner } of token.cases) typesIn(inner, types);
    }
  }
  return types;
}

/** A message as a template literal; `counted`: the parameter of the plural around it. */
function codeOf(tokens: readonly Token[], language: Language, counted = ''): string {
  const parts = tokens.map((token) => {
    if (token.type === 'content') return token.value.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
    if (token.type === 'octothorpe') return `\${format.numberIn('${language}', ${counted})}`;
    if (token.type === 'argument') return `\${${token.arg}}`;
    if (token.type === 'function') {
      return `\${format.${token.key === 'number' ? 'numberIn' : token.key}('${language}', ${token.arg})}`;
    }
    const isSelect = token.type === 'select';
    const cases = token.cases.map(
      ({ key, tokens: inner }) => `${JSON.stringify(key)}: ${codeOf(inner, language, isSelect ? counted : token.arg)}`,
    );
    return `\${format.pick(${isSelect ? token.arg : `format.pluralOf('${language}', ${token.arg})`}, { ${cases.join(', ')} })}`;
  });
  return `\`${parts.join('')}\``;
}
