/** The API of the monitor, from its OpenAPI document. */
import { apiWords } from '../../../generated/locales/api.ts';
import { apiDocument } from '../../../monitor/server/api.ts';
import { PROBLEMS } from '../../../monitor/server/request.ts';
import { blocks, type Language } from '../../../texts.ts';
import { anchorOf, code, prose, table, type Parts } from './markdown.ts';
import { fieldTable, linksTo, typeText, type FieldOptions, type ObjectSchema } from './objects.ts';
import { fieldText, type Words } from './words.ts';

interface Operation {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: ObjectSchema;
  }[];
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: ObjectSchema } } };
  };
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

export function openApiIn(language: Language): OpenApi {
  return apiDocument(language) as unknown as OpenApi;
}

export function apiParts(words: Words, language: Language): Parts {
  const { info, paths, components } = openApiIn(language);
  const operations = Object.entries(paths).map(([path, { get }]) => ({ title: `GET ${path}`, ...get }));
  const schemas = Object.entries(components.schemas);
  const optionsOf = (object: string): FieldOptions => ({
    words,
    definitions: components.schemas,
    links: linksTo(schemas),
    describe: (field) => fieldText(`${object}.${field}`),
  });
  const details = apiWords(language).details;
  const problems = Object.entries(PROBLEMS).map(([name, status]) => [
    code(name),
    String(status),
    prose(details[name as keyof typeof PROBLEMS]('…')),
  ]);
  return {
    description: prose(info.description),
    list: operations.map(({ title, summary }) => `- [${code(title)}](#${anchorOf(title)}) – ${summary}`).join('\n'),
    operations: operations.map((one) => operationText(one.title, one, optionsOf(''))).join('\n\n'),
    objects: schemas
      .map(([name, schema]) => `### ${code(name)}\n\n${fieldTable(schema, optionsOf(name))}`)
      .join('\n\n'),
    problems: table([words('Code'), words('Status'), words('Meaning')], problems),
  };
}

function operationText(title: string, { summary, parameters, responses }: Operation, options: FieldOptions): string {
  const { words } = options;
  const rows = parameters.map(({ name, in: where, description, schema }) => [
    code(name),
    typeText(schema, options),
    typeof schema.default === 'string' ? code(schema.default) : '',
    description === undefined ? words(where === 'path' ? 'Id, in the path.' : '') : prose(description),
  ]);
  const response = responses[200].content['application/json'].schema;
  return blocks([
    `## ${code(title)}`,
    prose(summary),
    table([words('Parameter'), words('Type'), words('Default'), words('Description')], rows),
    `${words('Response:')} ${typeText(response, options)}`,
  ]);
}
