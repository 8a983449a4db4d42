/** Looks for everything that is wrong with a file that could be read. Loaded only when there is one. */
import type { SchemaValidator } from '../../checks/own/definition.ts';
import type { Environment } from './environment.ts';
import type { Known } from './known.ts';
import { itemsOf, meaningMistakes } from './meaning.ts';
import type { Schemas } from './own.ts';
import { monitorMistakes } from './monitor/mistakes.ts';
import { MONITOR_PARTS, partOf, type MonitorPart } from './monitor/parts.ts';
import { ownMistakes } from './own-mistakes.ts';
import { keyOf, type ConfigProblem, type Mistake, type Path } from './problem.ts';
import { loadValidator, shapeMistakes, valueAt } from './shape.ts';
import { placed, type Source } from './source.ts';
import type { CompiledSchema } from './user-schema.ts';

/** A file is not worth more lines than this. */
const MOST_PROBLEMS = 50;

export interface Inspected {
  /** In the order of the text. */
  readonly problems: readonly ConfigProblem[];
  readonly schemas: Schemas;
}

/**
 * The mistakes of form, then those of meaning that are not consequences of the first. That a variable is not set is one
 * outside of `MONITOR_PARTS`, and in those that are needed.
 */
export async function inspect(
  source: Source,
  env: Environment,
  known: Known,
  needed: readonly MonitorPart[] = MONITOR_PARTS,
): Promise<Inspected> {
  const { value } = source;
  const shape = shapeMistakes(value, await loadValidator());
  const { mistakes, schemas } = await compileSchemas(value);
  const told = new Set(shape.map(({ path }) => keyOf(path)));
  const meaning = [
    ...meaningMistakes(value, env, known),
    ...ownMistakes(value, ['checks'], { builtIn: Object.keys(known.builtIn) }),
    ...(await monitorMistakes(value, env, known)),
    ...mistakes,
  ];
  const all = [...shape, ...meaning.filter(({ path }) => !told.has(keyOf(path)))];
  const counting = all.filter(({ path, expected }) => {
    const part = partOf(path);
    const isUnset = expected.kind === 'env-missing' || expected.kind === 'env-withheld';
    return !isUnset || part === undefined || needed.includes(part);
  });
  const problems = counting.map((mistake) => placed(mistake, source)).toSorted(inTextOrder);
  return { problems: problems.slice(0, MOST_PROBLEMS), schemas };
}

/** The places of lists of checks of the user's own: the file's, and those of its sites. */
function checkLists(value: unknown): Path[] {
  return [['checks'], ...itemsOf(valueAt(value, ['sites'])).map((_, index): Path => ['sites', index, 'checks'])];
}

async function compileSchemas(value: unknown) {
  const schemas = new Map<string, SchemaValidator>();
  const byText = new Map<string, CompiledSchema>();
  const mistakes: Mistake[] = [];
  const checks = checkLists(value).flatMap((list) =>
    itemsOf(valueAt(value, list)).map((check, index) => ({ check, at: [...list, index] as Path })),
  );
  for (const { check, at } of checks) {
    const schema = valueAt(check, ['expect', 'json', 'schema']);
    if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
      continue;
    const text = JSON.stringify(schema);
    const { compileSchema } = await import('./user-schema.ts');
    // Many sites may have the same check.
    const compiled = byText.get(text) ?? (await compileSchema(schema));
    byText.set(text, compiled);
    if (compiled.ok) {
      schemas.set(keyOf(at), compiled.validate);
      continue;
    }
    const inside: Path = [...at, 'expect', 'json', 'schema', ...compiled.path];
    mistakes.push({ path: inValue(value, inside), at: 'value', expected: compiled.expected });
  }
  return { schemas, mistakes };
}

/** The path with list indexes as numbers. */
function inValue(value: unknown, path: Path): Path {
  return path.map((step, index) => (Array.isArray(valueAt(value, path.slice(0, index))) ? Number(step) : step));
}

function inTextOrder(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
