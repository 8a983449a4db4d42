/** Holds a file against its JSON Schema, and makes one mistake of the several errors that ajv gives for it. */
import type { ErrorObject } from 'ajv';
import { expectedAt, isSecret, keysAt } from './expectations.ts';
import { nearest } from './nearest.ts';
import { got, keyOf, type Mistake, type Path } from './problem.ts';

/** A validator as ajv compiles it: `errors` belongs to the last call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null | undefined;
}

/** The validator that the build compiled from the published schema. */
export async function loadValidator(): Promise<Validator> {
  const { default: validate } = await import('../generated/validators/config.js');
  return validate;
}

/** The mistakes of form in a file's value, in the order of the text as far as ajv keeps it. */
export function shapeMistakes(value: unknown, validate: Validator): Mistake[] {
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).map((error) => ({ error, path: pathOf(error, value) }));
  const mistakes = new Map<string, Mistake>();
  for (const { error, path } of errors) {
    const mistake = mistakeOf(error, path, value);
    mistakes.set(JSON.stringify([mistake.path, mistake.expected]), mistake);
  }
  return withoutNoise([...mistakes.values()]);
}

function mistakeOf(error: ErrorObject, path: Path, value: unknown): Mistake {
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const guess = nearest(name, keysAt(path));
    return {
      path: [...path, name],
      at: 'key',
      expected: { kind: 'unknown-key', name, ...(guess === undefined ? {} : { nearest: guess }) },
    };
  }
  if (error.keyword === 'required') {
    return { path, at: 'value', expected: { kind: 'missing-key', name: String(params['missingProperty']) } };
  }
  const name = error.propertyName ?? params['propertyName'];
  // Only the keys of `rules` and of `modules` have a form of their own.
  if (typeof name === 'string') {
    const kind = path.at(-1) === 'modules' ? 'monitor-id' : 'rule-key';
    return { path: [...path, name], at: 'key', expected: { kind } };
  }
  const actual = valueAt(value, path);
  return { path, at: 'value', expected: expectedAt(path, actual), ...got(actual, isSecret(path)) };
}

/** The branches of an `anyOf` all complain. A mistake inside a value says more than one about the value. */
function withoutNoise(mistakes: readonly Mistake[]): Mistake[] {
  const inside = new Set<string>();
  for (const { path, expected } of mistakes) {
    const deepest = expected.kind === 'missing-key' ? path.length + 1 : path.length;
    for (let length = 0; length < deepest; length++) inside.add(keyOf(path.slice(0, length)));
  }
  return mistakes.filter((mistake) => isKeyed(mistake) || !inside.has(keyOf(mistake.path)));
}

function isKeyed({ expected }: Mistake): boolean {
  return expected.kind === 'missing-key' || expected.kind === 'unknown-key';
}

/** ajv's JSON Pointer as a path: an index is a number where the value is a list. */
function pathOf(error: ErrorObject, value: unknown): Path {
  const steps = error.instancePath.split('/').slice(1);
  let at = value;
  return steps.map((step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const part = Array.isArray(at) ? Number(key) : key;
    at = valueAt(at, [part]);
    return part;
  });
}

/** The value at a path, `undefined` where there is none. Own members only. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}
