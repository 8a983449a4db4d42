/** Finds everything that is wrong with a file that could be read, and expands its variables. Loaded only if there is one. */
import type { ErrorObject } from 'ajv';
import schema from '../generated/config-schema.json' with { type: 'json' };
import { CHANNELS, loadChannel } from '../monitor/alerts/channels/index.ts';
import { MONITOR_PARTS, type MonitorPart, type NeededPart } from './config.ts';
import type { SchemaNode } from './define.ts';
import { cronProblem, FORMATS, headerNameProblem } from './formats.ts';
import { withNearest } from '../parse/edit-distance.ts';
import { got, isMapping, itemsOf, keyMistake, keyOf, membersOf, mistake, pathOf, valueAt } from './problem.ts';
import type { ConfigProblem, Expected, Mistake, Path, Source } from './problem.ts';
import { compileSchemas } from './user-schema.ts';
import {
  expand,
  MAX_SIZE_BYTES,
  parseDuration,
  parseSize,
  parseTime,
  renderDuration,
  takesDays,
  UP_TO_A_DAY,
} from './values.ts';
import type { DurationBounds, Environment } from './values.ts';

const SCHEMA = schema as SchemaNode;

const MOST_PROBLEMS = 50;

/**
 * The mistakes of form, and those of meaning at other keys, in the order of the text; hints about words that are read as
 * others; the value with its variables expanded; the compiled JSON Schemas of own checks. That a variable is unset is a
 * mistake outside of `MONITOR_PARTS`, and in those that are `needed`.
 */
export async function inspect(source: Source, env: Environment, known: Known, needed: readonly NeededPart[]) {
  const aliases: Alias[] = [];
  const given = withoutAliases(SCHEMA, source.value, [], aliases);
  const form = await formMistakes(given);
  const reader = new Reader(env);
  const value = reader.read(SCHEMA, given, [], false);
  const mistakes = [...reader.mistakes, ...(await reader.cronMistakes())];
  const { schemas, mistakes: schemaMistakes } = await compileSchemas(given);
  const isWrong = (path: Path): boolean =>
    [...form, ...mistakes].some((other) => path.every((step, index) => other.path[index] === step));
  const rules = await ruleMistakes(given, value, known, isWrong);
  const formKeys = new Set(form.map(({ path }) => keyOf(path)));
  const meaning = [...mistakes, ...rules, ...schemaMistakes].filter(({ path }) => !formKeys.has(keyOf(path)));
  const problems = [...form, ...meaning]
    .filter(({ path, expected: { kind } }) => {
      const part = partOf(path);
      if ((kind !== 'env-missing' && kind !== 'env-withheld') || part === undefined) return true;
      return needed.some((one) => one === part || one === keyOf(path.slice(0, 2)));
    })
    .map((found) => located(source, found))
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const hints = hintsOf(aliases).map((hint) => located(source, hint));
  return { problems: problems.slice(0, MOST_PROBLEMS), hints, value, schemas };
}

function located(source: Source, { path, at, ...found }: Mistake): ConfigProblem {
  const position = { line: null, column: null, ...source.locate(path, at) };
  return { file: source.file, ...position, key: keyOf(path), ...found };
}

/** A word that is read as another. */
interface Alias {
  readonly path: Path;
  readonly word: string;
  readonly meant: string;
}

/** The value with the words that are meant; adds each of the others to `found`. */
function withoutAliases(node: SchemaNode | undefined, value: unknown, path: Path, found: Alias[]): unknown {
  if (node === undefined) return value;
  if (Array.isArray(value)) {
    const items = childOf(node, 0);
    return value.map((item: unknown, index) => withoutAliases(items, item, [...path, index], found));
  }
  if (isMapping(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [key, withoutAliases(childOf(node, key), member, [...path, key], found)]),
    );
  }
  const { 'x-aliases': aliases = {} } = resolved(node);
  if (typeof value !== 'string' || !Object.hasOwn(aliases, value)) return value;
  const meant = aliases[value] ?? value;
  found.push({ path, word: value, meant });
  return meant;
}

/** One hint for each word, at its first place. */
function hintsOf(aliases: readonly Alias[]): readonly Mistake[] {
  return [...Map.groupBy(aliases, ({ word }) => word).values()].flatMap((same) =>
    same.slice(0, 1).map(({ path, word, meant }) => {
      return mistake(path, { kind: 'read-as', word, meant, more: same.length - 1 });
    }),
  );
}

/** The part that a value belongs to; `undefined`: every command uses it. */
function partOf([first, second]: Path): MonitorPart | undefined {
  const name = first === 'monitor' && second === 'heartbeat' ? second : first;
  return MONITOR_PARTS.find((part) => part === name);
}

/** The mistakes of form in the value of a file, in ajv's order: one for the several errors that ajv reports for it. */
async function formMistakes(value: unknown): Promise<Mistake[]> {
  const { default: validate } = await import('../generated/config-validator.cjs');
  if (validate(value)) return [];
  const found = (validate.errors ?? []).map((error) => mistakeOf(error, value));
  const different = new Map(found.map((one) => [JSON.stringify([one.path, one.expected]), one]));
  return withoutNoise([...different.values()]);
}

function mistakeOf(error: ErrorObject, value: unknown): Mistake {
  const path = pathOf(error.instancePath, value);
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const known = branchesOf(nodeAt(path).node).flatMap(({ properties = {} }) => Object.keys(properties));
    return keyMistake([...path, name], { kind: 'unknown-key', ...withNearest(name, known) });
  }
  if (error.keyword === 'required') {
    return mistake(path, { kind: 'missing-key', name: String(params['missingProperty']) });
  }
  const { node, isSecret } = nodeAt(path);
  const name = error.propertyName ?? params['propertyName'];
  if (typeof name === 'string') {
    return keyMistake([...path, name], expectedOf(resolved(node).propertyNames ?? {}, name));
  }
  const actual = valueAt(value, path);
  const { 'x-zero': zero } = resolved(node);
  if (actual === 0 && zero !== undefined) return mistake(path, { kind: zero } as Expected);
  return { path, at: 'value', expected: expectedOf(node, actual), ...got(actual, isSecret) };
}

/** All branches of an `anyOf` report errors. A mistake inside a value says more than one about the value. */
function withoutNoise(mistakes: readonly Mistake[]): Mistake[] {
  const inside = new Set<string>();
  for (const { path, expected } of mistakes) {
    const deepest = expected.kind === 'missing-key' ? path.length + 1 : path.length;
    for (let length = 0; length < deepest; length++) inside.add(keyOf(path.slice(0, length)));
  }
  const isAboutKey = ({ at, expected: { kind } }: Mistake): boolean => at === 'key' || kind === 'missing-key';
  return mistakes.filter((found) => isAboutKey(found) || !inside.has(keyOf(found.path)));
}

function resolved(node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  return { ...SCHEMA.$defs?.[node.$ref.slice('#/$defs/'.length)], ...node };
}

function branchesOf(node: SchemaNode): SchemaNode[] {
  const whole = resolved(node);
  return [whole, ...(whole.anyOf ?? []).map(resolved)];
}

/** The schema of a member or an item; `undefined` where anything may be. */
function childOf(node: SchemaNode, step: string | number): SchemaNode | undefined {
  const children = branchesOf(node).map(({ items, properties = {}, additionalProperties: others }) => {
    if (typeof step === 'number') return items;
    return Object.hasOwn(properties, step) ? properties[step] : others;
  });
  return children.find((child) => typeof child === 'object');
}

/** The schema at a path, or the nearest one above it; and whether a text there may be a secret. */
function nodeAt(path: Path) {
  let node: SchemaNode = SCHEMA;
  let isSecret = false;
  for (const step of path) {
    const child = childOf(node, step);
    if (child === undefined) break;
    node = child;
    isSecret = resolved(node)['x-secret'] ?? isSecret;
  }
  // Text instead of a list or a mapping is most likely the secret that belongs into it.
  return { node, isSecret: isSecret || containsSecret(node) };
}

function containsSecret(node: SchemaNode): boolean {
  return branchesOf(node).some(({ 'x-secret': isSecret, items, properties = {}, additionalProperties: open }) => {
    const inside = [items, ...Object.values(properties), open].filter((inner) => typeof inner === 'object');
    return isSecret === true || inside.some(containsSecret);
  });
}

function expectedOf(node: SchemaNode, value: unknown): Expected {
  const whole = resolved(node);
  const { 'x-duration': bounds, 'x-format': format, enum: values, type } = whole;
  if (bounds !== undefined) return durationProblem(value, bounds) ?? { kind: 'duration' };
  if (format === 'size') return sizeProblem(value) ?? { kind: 'size' };
  // The names of formats and of kinds are the same; the build sees to it that each is a kind.
  const kind = whole['x-expected'] ?? format;
  if (kind !== undefined) return { kind } as Expected;
  if (values !== undefined) return { kind: 'one-of', values };
  if (type === 'integer') return { kind: 'integer', least: whole.minimum ?? 0, most: whole.maximum ?? 0 };
  return { kind: ({ object: 'mapping', array: 'list', boolean: 'boolean' } as const)[String(type)] ?? 'text' };
}

function durationProblem(value: unknown, bounds: DurationBounds): Expected | undefined {
  const days = takesDays(bounds);
  if (typeof value === 'number') return { kind: 'duration-unit', days };
  const parsed = parseDuration(typeof value === 'string' ? value : '', bounds);
  if (parsed.ok) return undefined;
  if (parsed.problem === 'no-unit') return { kind: 'duration-unit', days };
  if (parsed.problem === 'syntax') return { kind: 'duration' };
  // A range that ends within a day is written in hours, as the value may be.
  const most = bounds.most === UP_TO_A_DAY.most ? '24h' : renderDuration(bounds.most);
  return { kind: 'duration-range', least: bounds.least === 0 ? '0s' : renderDuration(bounds.least), most };
}

function sizeProblem(value: unknown): Expected | undefined {
  const parsed = parseSize(typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  if (parsed.ok) return undefined;
  // A fraction of a byte, or a negative number, is out of range.
  const isRange = parsed.problem === 'range' || typeof value === 'number';
  return isRange ? { kind: 'size-range', most: `${MAX_SIZE_BYTES / 1024 ** 2}MiB` } : { kind: 'size' };
}

/** Reads the value of a file, and finds the mistakes that the schema's own keywords describe. */
class Reader {
  readonly mistakes: Mistake[] = [];
  readonly #env: Environment;
  readonly #crons: { readonly pattern: string; readonly path: Path }[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Apart from the others, because the library that reads cron expressions has to be loaded. */
  async cronMistakes(): Promise<Mistake[]> {
    const problems = await Promise.all(this.#crons.map(({ pattern }) => cronProblem(pattern)));
    return this.#crons.flatMap(({ pattern, path }, index) => {
      const kind = problems[index];
      return kind === undefined ? [] : [mistake(path, { kind }, pattern)];
    });
  }

  /** The form of the value may be wrong: then it is kept as it is. */
  read(given: SchemaNode | undefined, value: unknown, path: Path, isSecretAbove: boolean): unknown {
    if (given === undefined) return value;
    const node = resolved(given);
    const isSecret = node['x-secret'] ?? isSecretAbove;
    if (node['x-format'] === 'size' && value !== '') this.#add(sizeProblem(value), path, value);
    if (typeof value === 'string') return this.#readText(node, value, path, isSecret);
    if (Array.isArray(value)) {
      this.#checkUnique(node, value, path);
      const items = childOf(node, 0);
      return value.map((item: unknown, index) => this.read(items, item, [...path, index], isSecret));
    }
    if (!isMapping(value)) return value;
    if (node['x-headers'] !== undefined) return this.#readHeaders(node, value, path);
    for (const branch of branchesOf(node)) this.#checkKeys(branch, value, path);
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, member]) => [key, this.read(childOf(node, key), member, [...path, key], isSecret)]),
    );
  }

  #readText(node: SchemaNode, text: string, path: Path, isSecret: boolean): string {
    const branch = branchesOf(node).find(({ type }) => type === 'string');
    const { 'x-variables': hasVariables, 'x-duration': bounds, 'x-format': format = '' } = branch ?? {};
    const shown = isSecret || hasVariables ? undefined : text;
    if (bounds !== undefined) this.#add(durationProblem(text, bounds), path, shown);
    const { text: expanded, problems } = hasVariables ? expand(text, this.#env) : { text, problems: [] };
    for (const problem of problems) this.#add(problem, path);
    // An empty text is a mistake of form.
    if (expanded === '') return '';
    if (format === 'cron') this.#crons.push({ pattern: text, path });
    const fits = FORMATS[format]?.(expanded) ?? true;
    const problem = fits === false ? ({ kind: format } as Expected) : fits;
    // A sentence with a name shows the value itself.
    if (problem !== true) this.#add(problem, path, 'name' in problem ? undefined : shown);
    return expanded;
  }

  /** The result has no prototype: any token can be the name of a header. */
  #readHeaders(node: SchemaNode, headers: Readonly<Record<string, unknown>>, path: Path): unknown {
    const isRequest = node['x-headers'] === 'request';
    const read = Object.create(null) as Record<string, unknown>;
    const names = new Set<string>();
    for (const [name, value] of Object.entries(headers)) {
      const inside = [...path, name];
      read[name] = this.read(childOf(node, name), value, inside, isRequest);
      const isRepeated = isRequest && names.has(name.toLowerCase());
      names.add(name.toLowerCase());
      const problem = isRepeated ? 'duplicate-key' : headerNameProblem(name, isRequest);
      if (problem !== undefined) this.mistakes.push(keyMistake(inside, { kind: problem, name }));
    }
    return read;
  }

  /** Keys that exclude each other, and durations that may not exceed others. */
  #checkKeys(node: SchemaNode, value: Readonly<Record<string, unknown>>, path: Path): void {
    const { 'x-exclusive': exclusive = [], 'x-required': isRequired, properties = {} } = node;
    const [first, ...more] = exclusive.filter((key) => value[key] !== undefined);
    if (first === undefined && isRequired) this.#add({ kind: 'one-key', values: exclusive }, path);
    for (const name of more) {
      this.mistakes.push(keyMistake([...path, name], { kind: 'both-keys', name, other: String(first) }));
    }
    const lengthOf = (key: string): number | undefined => {
      const text = value[key];
      const parsed = parseDuration(typeof text === 'string' ? text : '', properties[key]?.['x-duration']);
      return parsed.ok ? parsed.ms : undefined;
    };
    for (const [key, { 'x-at-most': limits = [] }] of Object.entries(properties)) {
      const ms = lengthOf(key);
      const limit = ms === undefined ? undefined : limits.find((other) => ms > (lengthOf(other) ?? Infinity));
      if (limit !== undefined) this.#add({ kind: 'longer-than', name: limit }, [...path, key], value[key]);
    }
  }

  #checkUnique(node: SchemaNode, items: readonly unknown[], path: Path): void {
    const { 'x-unique': kind } = node;
    if (kind === undefined) return;
    const ids = new Set<string>();
    for (const [index, item] of items.entries()) {
      const id = idOf(item);
      if (id === undefined) continue;
      if (ids.has(id)) this.#add({ kind, name: id } as Expected, [...path, index, ...(id === item ? [] : ['id'])]);
      ids.add(id);
    }
  }

  #add(expected: Expected | undefined, path: Path, value?: unknown): void {
    if (expected !== undefined) this.mistakes.push(mistake(path, expected, value));
  }
}

/*
 * What the schema cannot say about a configuration: names that must exist, keys that depend on each other. The form of the
 * file may be wrong too, so no value is used before its type is known.
 */

/** The checks that a configuration may name. */
export interface Known {
  /** The built-in checks and their rules. */
  readonly builtIn: Readonly<Record<string, readonly string[]>>;
  /** The rules of your own checks. */
  readonly own: readonly string[];
  /** The built-in checks that only the full check runs. */
  readonly full: readonly string[];
}

/** The checks of a site and their rules. */
type Rules = ReadonlyMap<string, readonly string[]>;

/** The mistakes in a file. `expanded`: its value with variables; `isWrong`: whether a mistake is known at or in a path. */
async function ruleMistakes(value: unknown, expanded: unknown, known: Known, isWrong: (path: Path) => boolean) {
  const rules = rulesOf(value, known);
  return [
    ...checkingMistakes(value, [], rules),
    ...ownMistakes(value, ['checks'], known, []),
    ...siteMistakes(value, known),
    ...membersOf(valueAt(value, ['monitor', 'probe', 'modules'])).flatMap(([name]): Mistake[] => {
      const path: Path = ['monitor', 'probe', 'modules', name];
      const isBuiltIn = ['core', 'full'].includes(name);
      const mistakes = checkingMistakes(value, path, rules);
      return isBuiltIn ? [keyMistake(path, { kind: 'module-built-in', name }), ...mistakes] : mistakes;
    }),
    ...(await channelMistakes(expanded, isWrong)),
  ];
}

/** The built-in checks, those of the file, and those of a site's list of own checks. */
function rulesOf(value: unknown, known: Known, list: Path = ['checks']): Rules {
  const own = [...idsOf(value, ['checks']), ...idsOf(value, list)];
  return new Map([...own.map((id) => [id, known.own] as const), ...Object.entries(known.builtIn)]);
}

function idsOf(value: unknown, list: Path): string[] {
  return itemsOf(valueAt(value, list)).flatMap((item) => idOf(item) ?? []);
}

/** The id of an item, which may be its id alone. */
function idOf(item: unknown): string | undefined {
  const id = typeof item === 'string' ? item : valueAt(item, ['id']);
  return typeof id === 'string' ? id : undefined;
}

/** Mistakes in how a site is checked: by the file, a site or a module of probes. */
function checkingMistakes(value: unknown, at: Path, rules: Rules): Mistake[] {
  const ids = [...rules.keys()];
  return [
    ...['only', 'skip'].flatMap((key) => unknownNames(value, [...at, key], ids, 'unknown-check')),
    ...membersOf(valueAt(value, [...at, 'rules'])).flatMap(([key]): Mistake[] => {
      const [check = '', rule, ...rest] = key.split('/');
      if (rule === undefined || rest.length > 0) return [];
      const path = [...at, 'rules', key];
      const known = rules.get(check);
      if (known === undefined) return [keyMistake(path, { kind: 'unknown-check', ...withNearest(check, ids) })];
      if (known.includes(rule)) return [];
      return [keyMistake(path, { kind: 'unknown-rule', check, ...withNearest(rule, known) })];
    }),
  ];
}

type UnknownKind = 'unknown-check' | 'unknown-route' | 'unknown-location';

function unknownNames(value: unknown, list: Path, known: readonly string[], kind: UnknownKind): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((name, index) => {
    if (typeof name !== 'string' || name === '' || known.includes(name)) return [];
    return [mistake([...list, index], { kind, ...withNearest(name, known) })];
  });
}

/** Mistakes in the ids of a list of own checks. `taken`: the ids of the site's other own checks. */
function ownMistakes(value: unknown, list: Path, { builtIn }: Known, taken: readonly string[]): Mistake[] {
  const ids = new Set(taken);
  return itemsOf(valueAt(value, list)).flatMap((check, index): Mistake[] => {
    const name = valueAt(check, ['id']);
    if (typeof name !== 'string') return [];
    const path = [...list, index, 'id'];
    const isTwice = ids.has(name);
    ids.add(name);
    // `common` and `own` are pages of texts, which a check of that name would replace.
    if (Object.hasOwn(builtIn, name) || name === 'common' || name === 'own') {
      return [mistake(path, { kind: 'id-built-in', name })];
    }
    return isTwice ? [mistake(path, { kind: 'id-twice', name })] : [];
  });
}

function siteMistakes(value: unknown, known: Known): Mistake[] {
  const routes = idsOf(value, ['alerts']);
  const locations = idsOf(value, ['monitor', 'locations']);
  const taken = idsOf(value, ['checks']);
  return itemsOf(valueAt(value, ['sites'])).flatMap((site, index) => {
    const at: Path = ['sites', index];
    const checks: Path = [...at, 'checks'];
    const rules = rulesOf(value, known, checks);
    return [
      ...itemsOf(valueAt(site, ['maintenance'])).flatMap((window, nth) =>
        maintenanceMistakes(window, [...at, 'maintenance', nth]),
      ),
      ...unknownNames(value, [...at, 'alerts'], routes, 'unknown-route'),
      ...unknownNames(value, [...at, 'locations'], locations, 'unknown-location'),
      ...checkingMistakes(value, at, rules),
      ...ownMistakes(value, checks, known, taken),
      ...unwatchedMistakes(value, at, rules, known.full),
    ];
  });
}

/** A maintenance window is once (`from`, `to`) or repeated (`cron`, `for`). */
function maintenanceMistakes(window: unknown, at: Path): Mistake[] {
  if (!isMapping(window)) return [];
  const { from, to } = window;
  const missing = (keys: readonly string[]): Mistake[] =>
    keys.filter((key) => window[key] === undefined).map((name) => mistake(at, { kind: 'missing-key', name }));
  const firstSet = (...keys: readonly string[]): string | undefined => keys.find((key) => window[key] !== undefined);
  const [once, repeated] = [firstSet('from', 'to'), firstSet('cron', 'for')];
  if (once !== undefined && repeated !== undefined) {
    return [keyMistake([...at, repeated], { kind: 'both-keys', name: repeated, other: once })];
  }
  if (repeated !== undefined) return missing(['cron', 'for']);
  if (once === undefined) return [mistake(at, { kind: 'one-key', values: ['from', 'cron'] })];
  const [begin, end] = [from, to].map((text) => (typeof text === 'string' ? parseTime(text) : undefined));
  const isReversed = begin !== undefined && end !== undefined && end <= begin;
  return [...missing(['from', 'to']), ...(isReversed ? [mistake([...at, 'to'], { kind: 'time-order' }, to)] : [])];
}

/** A site of which only the full check is left, once an hour, is not watched. */
function unwatchedMistakes(value: unknown, at: Path, rules: Rules, full: readonly string[]): Mistake[] {
  const listOf = (key: string) => {
    const path = valueAt(value, [...at, key]) === undefined ? [key] : [...at, key];
    return { path, ids: itemsOf(valueAt(value, path)) };
  };
  const [only, skip] = [listOf('only'), listOf('skip')];
  // Unknown names are reported as such.
  if ([...only.ids, ...skip.ids].some((id) => !rules.has(String(id)))) return [];
  const chosen = only.ids.length === 0 ? [...rules.keys()] : only.ids;
  const isLeft = chosen.some((id) => !full.includes(String(id)) && !skip.ids.includes(id));
  return isLeft ? [] : [mistake((only.ids.length === 0 ? skip : only).path, { kind: 'no-quick-check' })];
}

/** What channels check themselves, where nothing else is wrong with their settings. */
async function channelMistakes(expanded: unknown, isWrong: (path: Path) => boolean): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const [index, route] of itemsOf(valueAt(expanded, ['alerts'])).entries()) {
    for (const channel of CHANNELS) {
      const at: Path = ['alerts', index, channel.key];
      const settings = valueAt(route, [channel.key]);
      if (settings === undefined || isWrong(at)) continue;
      // The settings fit the schema of this channel.
      const { mistakes: find = () => [] } = await loadChannel(channel);
      mistakes.push(...find(settings).map(({ path, expected }) => mistake([...at, ...path], expected)));
    }
  }
  return mistakes;
}
