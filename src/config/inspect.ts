/** Looks for everything that is wrong with a file that could be read. Loaded only when there is one. */
import type { SchemaValidator } from '../../checks/own/definition.ts';
import type { Environment } from './environment.ts';
import type { Known } from './known.ts';
import { itemsOf, meaningMistakes } from './meaning.ts';
import { ownMistakes } from './own-mistakes.ts';
import { keyOf, type ConfigProblem, type Mistake, type Path } from './problem.ts';
import { loadValidator, shapeMistakes, valueAt } from './shape.ts';
import { placed, type Source } from './source.ts';

/** A file is not worth more lines than this. */
const MOST_PROBLEMS = 50;

export interface Inspected {
  /** In the order of the text. */
  readonly problems: readonly ConfigProblem[];
  /** The compiled schemas by the index of their check. */
  readonly schemas: ReadonlyMap<number, SchemaValidator>;
}

/** The mistakes of form, then those of meaning that are not consequences of the first. */
export async function inspect(source: Source, env: Environment, known: Known): Promise<Inspected> {
  const { value } = source;
  const shape = shapeMistakes(value, await loadValidator());
  const { mistakes, schemas } = await compileSchemas(value);
  const told = new Set(shape.map(({ path }) => keyOf(path)));
  const meaning = [
    ...meaningMistakes(value, env, known),
    ...ownMistakes(value, Object.keys(known.builtIn)),
    ...mistakes,
  ];
  const all = [...shape, ...meaning.filter(({ path }) => !told.has(keyOf(path)))];
  const problems = all.map((mistake) => placed(mistake, source)).toSorted(inTextOrder);
  return { problems: problems.slice(0, MOST_PROBLEMS), schemas };
}

async function compileSchemas(value: unknown) {
  const schemas = new Map<number, SchemaValidator>();
  const mistakes: Mistake[] = [];
  for (const [index, check] of itemsOf(valueAt(value, ['checks'])).entries()) {
    const schema = valueAt(check, ['expect', 'json', 'schema']);
    if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
      continue;
    const { compileSchema } = await import('./user-schema.ts');
    const compiled = await compileSchema(schema);
    if (compiled.ok) {
      schemas.set(index, compiled.validate);
      continue;
    }
    const at: Path = ['checks', index, 'expect', 'json', 'schema'];
    mistakes.push({ path: inValue(value, [...at, ...compiled.path]), at: 'value', expected: compiled.expected });
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
