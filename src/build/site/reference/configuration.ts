/** `reference/configuration.md`: the keys of docvitals.yaml, from the schema of the configuration. */
import { stringify } from 'yaml';
import type { SchemaNode } from '../../../config/define.ts';
import { configSchema } from '../../config-schema.ts';
import { anchorOf, block, code, prose, table, withoutDefault, type Parts } from './markdown.ts';
import { objectIn, typeText } from './objects.ts';
import { filled, type Words } from './words.ts';

interface Block {
  /** Where it is: `sites[].confirm`; empty for the file itself. */
  readonly path: string;
  readonly node: SchemaNode;
  readonly about: string;
  readonly examples: readonly unknown[];
  readonly isSecret: boolean;
  /** Other places that have the same mapping. */
  readonly also: string[];
}

export function configurationParts(words: Words): Parts {
  const blocks = blocksOf();
  const links = new Map(blocks.slice(1).map(({ node, path }) => [node, `#${anchorOf(path)}`]));
  const parts = blocks.map((one) => section(one, words, (node) => links.get(node)));
  return {
    description: prose(words(configSchema.description ?? '')),
    schema: configSchema.$id ?? '',
    keys: parts[0] ?? '',
    sections: parts.slice(1).join('\n\n'),
  };
}

/** All mappings of the file, each once, in the order of the file. */
function blocksOf(): readonly Block[] {
  const found = new Map<SchemaNode, Block>();
  const visit = (path: string, given: SchemaNode, isSecret: boolean): void => {
    for (const [key, child] of Object.entries(given.properties ?? {})) {
      const inner = objectIn(child, resolve);
      if (inner === undefined) continue;
      const at = `${path === '' ? '' : `${path}.`}${key}${inner.suffix}`;
      const secret = child['x-secret'] ?? isSecret;
      const known = found.get(inner.schema);
      if (known === undefined) {
        const { description = '', examples = [] } = child;
        found.set(inner.schema, {
          path: at,
          node: inner.schema,
          about: description,
          examples,
          isSecret: secret,
          also: [],
        });
        visit(at, inner.schema, secret);
      } else if (known.path !== at) known.also.push(at);
    }
  };
  found.set(configSchema, { path: '', node: configSchema, about: '', examples: [], isSecret: false, also: [] });
  visit('', configSchema, false);
  return [...found.values()];
}

const resolve = (ref: string): SchemaNode => configSchema.$defs?.[ref.slice('#/$defs/'.length)] ?? {};

const referred = (node: SchemaNode): SchemaNode => (node.$ref === undefined ? node : resolve(node.$ref));

function section(one: Block, words: Words, linkTo: (node: SchemaNode) => string | undefined): string {
  const { path, node, about, examples, also } = one;
  const [example] = examples;
  const rows = Object.entries(node.properties ?? {}).map(([key, child]) => rowOf(key, child, one, words, linkTo));
  const exclusive = node['x-exclusive'];
  const exclusion = node['x-required'] === true ? 'Exactly one of {keys}.' : 'At most one of {keys}.';
  const level = path.includes('.') ? '###' : '##';
  const parts = [
    path === '' ? '' : `${level} ${code(path)}`,
    about === '' ? '' : prose(words(about)),
    also.length === 0 ? '' : filled(words('{keys}: the same keys.'), { keys: also.map(code).join(', ') }),
    exclusive === undefined ? '' : filled(words(exclusion), { keys: exclusive.map(code).join(', ') }),
    table([words('Key'), words('Type'), words('Default'), words('Description')], rows),
    example === undefined ? '' : block('yaml', yamlAt(path, example)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
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
  { node, isSecret }: Block,
  words: Words,
  linkTo: (node: SchemaNode) => string | undefined,
): readonly string[] {
  const inner = objectIn(child, resolve);
  const link = inner === undefined ? undefined : linkTo(inner.schema);
  const { text, preset } = withoutDefault(words(child.description ?? ''));
  const value = child.default ?? referred(child).default;
  const [example] = child.examples ?? [];
  const shown = link === undefined && example !== undefined ? [`${words('Example:')} ${code(inYaml(example))}`] : [];
  const marks = marksOf(child, isSecret).map((mark) => `**${words(mark)}**`);
  const required = node.required?.includes(key) === true ? [`**${words('required')}**`] : [];
  return [
    link === undefined ? code(key) : `[${code(key)}](${link})`,
    [typeText(child, { words, resolve, linkOf: () => undefined, object: 'mapping' }), ...marks].join(', '),
    [...required, value === undefined ? prose(preset) : code(inYaml(value))].filter((part) => part !== '').join(', '),
    [prose(text), ...shown].join(' '),
  ];
}

function marksOf(child: SchemaNode, isSecret: boolean): readonly string[] {
  const item = child.items ?? referred(child).additionalProperties;
  const hasVariables =
    child['x-variables'] === true || (item !== undefined && item !== false && item['x-variables'] === true);
  const secret = child['x-secret'] ?? referred(child)['x-secret'] ?? isSecret;
  const isValue = objectIn(child, resolve) === undefined;
  return [...(hasVariables ? ['variables'] : []), ...(secret && isValue ? ['secret'] : [])];
}

function inYaml(value: unknown): string {
  return typeof value === 'string' ? value : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
