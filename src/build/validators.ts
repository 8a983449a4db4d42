/**
 * Compiles JSON Schemas into validators at build time, so that the command neither loads ajv nor compiles anything
 * to read its configuration, and publishes the schemas.
 */
import path from 'node:path';
import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { BuildError } from './errors.ts';
import { generate } from './bundle.ts';
import { readSource, ROOT, writeOutput } from './output.ts';

interface SchemaSource {
  readonly source: string;
  readonly published: string;
  /** Where the compiled validator goes; without it the schema is only compiled to see that it can be. */
  readonly validator?: string;
}

const SCHEMAS: readonly SchemaSource[] = [
  {
    source: 'src/config/docvitals.schema.json',
    published: 'dist/schema/config.json',
    validator: 'src/generated/validators/config',
  },
  { source: 'src/report/report.schema.json', published: 'dist/schema/report.json' },
];

const OPTIONS = {
  allErrors: true,
  strict: true,
  strictTypes: true,
  strictTuples: true,
  allowUnionTypes: true,
  code: { source: true, esm: true, lines: true },
} as const satisfies Options;

const DECLARATION = `import type { ErrorObject } from 'ajv';

/** Whether the value fits the schema; if it does not, \`errors\` says why until the next call. */
declare function validate(value: unknown): boolean;
declare namespace validate {
  let errors: ErrorObject[] | null | undefined;
}
export default validate;
`;

/** Returns the files it wrote into `dist`. @throws BuildError for a schema that is not JSON or not a schema. */
export async function buildValidators(): Promise<string[]> {
  return Promise.all(SCHEMAS.map(buildSchema));
}

async function buildSchema({ source, published, validator }: SchemaSource): Promise<string> {
  const text = await readSource(source);
  let code: string;
  try {
    code = compile(JSON.parse(text) as AnySchemaObject);
  } catch (error) {
    throw new BuildError(`${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (validator !== undefined) {
    await writeOutput(`${validator}.js`, await selfContained(code));
    await writeOutput(`${validator}.d.ts`, DECLARATION);
  }
  return writeOutput(published, text);
}

/** The source of an ES module whose default export validates; schemas are of draft 2020-12 where they say so, else draft-07. */
function compile(schema: AnySchemaObject): string {
  const ajv = String(schema.$schema).includes('2020-12') ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  return standaloneCode.default(ajv, ajv.compile(schema));
}

/** ajv's code `require`s its runtime even as an ES module: take those few functions in. */
async function selfContained(code: string): Promise<string> {
  const entry = path.join(ROOT, 'validator.js');
  const source = {
    name: 'validator',
    load: (id: string) => (id === entry ? code : null),
    resolveId: (id: string) => (id === entry ? id : null),
  };
  const [chunk] = await generate({ input: entry, output: { format: 'esm', codeSplitting: false } }, [source]);
  if (chunk === undefined) throw new BuildError('rolldown returned no code for a validator');
  return chunk.code;
}
