/** `reference/configuration.md`: the keys of docvitals.yaml, from the schema of the configuration. */
import { stringify } from 'yaml';
import type { SchemaNode } from '../../../config/define.ts';
import { blocks } from '../../../texts.ts';
import { configSchema } from '../../config-schema.ts';
import { anchorOf, block, code, prose, table, withoutDefault, type Parts } from './markdown.ts';
import { objectIn, referred, typeText } from './objects.ts';
import { filled, type Words } from './words.ts';

interface Mapping {
  /** Where it is: `sites[].confirm`; empty for the file itself. */
  readonly path: string;
  readonly node: SchemaNode;
  /** What the file says of the key whose value it is. */
  readonly given: SchemaNode;
  readonly isSecret: boolean;
  /** Other places that have the same mapping. */
  readonly also: string[];
}

export function configurationParts(words: Words): Parts {
  const mappings = mappingsOf();
  const links = new Map(mappings.slice(1).map(({ node, path }) => [node, `#${anchorOf(path)}`]));
  const parts = mappings.map((one) => section(one, words, links));
  return {
    description: prose(words(configSchema.description ?? '')),
    schema: configSchema.$id ?? '',
    keys: parts[0] ?? '',
    sections: parts.slice(1).join('\n\n'),
  };
}

/** All mappings of the file, each once, in the order of the file. */
function mappingsOf(): readonly Mapping[] {
  const whole: Mapping = { path: '', node: configSchema, given: {}, isSecret: false, also: [] };
  const found = new Map([[whole.node, whole]]);
  const visit = ({ path, node, isSecret }: Mapping): void => {
    for (const [key, given] of Object.entries(node.properties ?? {})) {
      const inner = objectIn(given, definitions);
      if (inner === undefined) continue;
      const at = `${path === '' ? '' : `${path}.`}${key}${inner.suffix}`;
      const known = found.get(inner.schema);
      if (known !== undefined) {
        if (known.path !== at) known.also.push(at);
        continue;
      }
      const mapping = { path: at, node: inner.schema, given, isSecret: given['x-secret'] ?? isSecret, also: [] };
      found.set(inner.schema, mapping);
      visit(mapping);
    }
  };
  visit(whole);
  return [...found.values()];
}

const { $defs: definitions } = configSchema;

function section(one: Mapping, words: Words, links: ReadonlyMap<SchemaNode, string>): string {
  const { path, node, given, also } = one;
  const [example] = given.examples ?? [];
  const rows = Object.entries(node.properties ?? {}).map(([key, child]) => rowOf(key, child, one, words, links));
  const exclusive = node['x-exclusive'];
  const exclusion = node['x-required'] === true ? 'Exactly one of {keys}.' : 'At most one of {keys}.';
  const level = path.includes('.') ? '###' : '##';
  return blocks([
    path === '' ? '' : `${level} ${code(path)}`,
    given.description === undefined ? '' : prose(words(given.description)),
    also.length === 0 ? '' : filled(words('{keys}: the same keys.'), { keys: also.map(code).join(', ') }),
    exclusive === undefined ? '' : filled(words(exclusion), { keys: exclusive.map(code).join(', ') }),
    table([words('Key'), words('Type'), words('Default'), words('Description')], rows),
    example === undefined ? '' : block('yaml', yamlAt(path, example)),
  ]);
}

/** An example of a value under its key, as the file has it. */
function yamlAt(path: string, value: unknown): string {
  const keys = path.split('.').filter((key) => key !== '*');
  const whole = keys.toReversed().reduce<unknown>((inner, key, index) => {
    const name = key.replace('[]', '');
    return { [name]: key.endsWith('[]') && index > 0 ? [inner] : inner };
  }, value);
  return stringify(whole, { lineWidth: 0 });
}

function rowOf(
  key: string,
  child: SchemaNode,
  { node, isSecret }: Mapping,
  words: Words,
  links: ReadonlyMap<SchemaNode, string>,
): readonly string[] {
  const inner = objectIn(child, definitions);
  const link = inner === undefined ? undefined : links.get(inner.schema);
  const { text, preset } = withoutDefault(words(child.description ?? ''));
  const value = child.default ?? referred(child, definitions).default;
  const [example] = child.examples ?? [];
  const shown = link === undefined && example !== undefined ? [`${words('Example:')} ${code(inYaml(example))}`] : [];
  const marks = marksOf(child, isSecret).map((mark) => `**${words(mark)}**`);
  const required = node.required?.includes(key) === true ? [`**${words('required')}**`] : [];
  return [
    link === undefined ? code(key) : `[${code(key)}](${link})`,
    [typeText(child, { words, definitions, object: 'mapping' }), ...marks].join(', '),
    [...required, value === undefined ? prose(preset) : code(inYaml(value))].filter((part) => part !== '').join(', '),
    [prose(text), ...shown].join(' '),
  ];
}

function marksOf(child: SchemaNode, isSecret: boolean): readonly string[] {
  const item = child.items ?? referred(child, definitions).additionalProperties;
  const hasVariables =
    child['x-variables'] === true || (item !== undefined && item !== false && item['x-variables'] === true);
  const secret = child['x-secret'] ?? referred(child, definitions)['x-secret'] ?? isSecret;
  const isValue = objectIn(child, definitions) === undefined;
  return [...(hasVariables ? ['variables'] : []), ...(secret && isValue ? ['secret'] : [])];
}

function inYaml(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
