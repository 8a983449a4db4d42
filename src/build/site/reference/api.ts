/** `reference/api.md`: the API of the monitor, from its OpenAPI document. */
import { apiWords } from '../../../generated/locales/api.ts';
import { apiDocument } from '../../../monitor/server/api.ts';
import { PROBLEMS } from '../../../monitor/server/request.ts';
import type { Language } from '../../../texts.ts';
import { describedAs } from './fields.ts';
import { anchors, block, code, page, prose, table } from './markdown.ts';
import { fieldTable, typeText, type FieldOptions, type ObjectSchema } from './objects.ts';
import type { Words } from './words.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: ObjectSchema;
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly summary: string;
          readonly parameters: readonly Parameter[];
          readonly responses: {
            readonly 200: { readonly content: { readonly 'application/json': { readonly schema: ObjectSchema } } };
          };
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

const PREFIX = '#/components/schemas/';

export function openApiIn(language: Language): OpenApi {
  return apiDocument(language) as unknown as OpenApi;
}

export function apiPage(language: Language, words: Words): string {
  const { info, paths, components } = openApiIn(language);
  const anchorOf = anchors();
  const operations = Object.keys(paths).map((path) => [path, anchorOf(`GET ${path}`)] as const);
  const titles = [words('Objects'), words('Problems')].map((title) => [title, anchorOf(title)]);
  const schemas = Object.entries(components.schemas);
  const links = new Map(schemas.map(([name, schema]) => [schema, `[${code(name)}](#${anchorOf(name)})`]));
  const optionsOf = (object: string): FieldOptions => ({
    words,
    resolve: (ref) => components.schemas[ref.slice(PREFIX.length)] ?? {},
    linkOf: (schema) => links.get(schema),
    describe: (field) => describedAs(`${object}.${field}`),
  });
  const options = optionsOf('');
  return page(words('API of the monitor'), [
    prose(info.description),
    words(
      'The server runs with `docvitals monitor --listen`. It requires no authentication: listen on a local address, or place a proxy with authentication in front of it.',
    ),
    block('sh', `curl http://127.0.0.1:9464/api/v1/sites`),
    operations
      .map(([path, anchor]) => `- [${code(`GET ${path}`)}](#${anchor}) – ${paths[path]?.get.summary ?? ''}`)
      .join('\n'),
    ...Object.entries(paths).flatMap(([path, { get }]) => [
      `## ${code(`GET ${path}`)}`,
      prose(get.summary),
      table(
        [words('Parameter'), words('Type'), words('Default'), words('Description')],
        get.parameters.map(({ name, in: where, description, schema }) => [
          code(name),
          typeText(schema, options),
          typeof schema.default === 'string' ? code(schema.default) : '',
          description === undefined ? words(where === 'path' ? 'Id, in the path.' : '') : prose(description),
        ]),
      ),
      `${words('Response:')} ${typeText(get.responses[200].content['application/json'].schema, options)}`,
    ]),
    `## ${titles[0]?.[0] ?? ''}`,
    words('Times are ISO 8601 in UTC. Durations, whose names end in `Ms`, are in milliseconds.'),
    ...schemas.flatMap(([name, schema]) => [`### ${code(name)}`, fieldTable(schema, optionsOf(name))]),
    `## ${titles[1]?.[0] ?? ''}`,
    words(
      'An error is returned as problem details (RFC 9457), with the type `application/problem+json`. `code` is stable; `title` and `detail` are in the language of the request.',
    ),
    table(
      [words('Code'), words('Status'), words('Meaning')],
      Object.entries(PROBLEMS).map(([name, status]) => [
        code(name),
        String(status),
        prose(apiWords(language).details[name as keyof typeof PROBLEMS]('…')),
      ]),
    ),
  ]);
}
