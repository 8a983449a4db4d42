/** The schema of the configuration with its descriptions, from `src/config/descriptions.yaml`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { written, type SchemaNode } from '../config/define.ts';
import { configSchema as bare } from '../config/schema.ts';
import type { Language } from '../texts.ts';
import { BuildError, ROOT } from './output.ts';

type Description = Readonly<Record<Language, string>>;
type Nodes = Readonly<Record<string, SchemaNode>>;

const FILE = 'src/config/descriptions.yaml';
const texts = parse(readFileSync(path.join(ROOT, FILE), 'utf8')) as Readonly<Record<string, Description>>;
const used = new Map<string, Description>();

export const configSchema = { ...bare, ...withChildren(bare, ''), description: descriptionOf('', bare) };

/** The descriptions, with their values. */
export const descriptions: readonly Description[] = [...used.values()];

const unused = Object.keys(texts).filter((key) => !used.has(key));
if (unused.length > 0) throw new BuildError(`${FILE}: not in the schema: ${unused.join(', ')}`);

/** `at`: the keys that lead to the node, the name of its definition first. */
function withChildren(node: SchemaNode, at: string): SchemaNode {
  const { $defs = {}, properties = {}, anyOf, items, additionalProperties: others } = node;
  const keyed = (nodes: Nodes): Nodes =>
    Object.fromEntries(
      Object.entries(nodes).map(([key, child]) => [key, describe(child, at === '' ? key : `${at}.${key}`)]),
    );
  return {
    ...node,
    ...(node.properties && { properties: keyed(properties) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => withChildren(branch, at)) }),
    ...(items && { items: withChildren(items, `${at}[]`) }),
    ...(typeof others === 'object' && {
      additionalProperties: texts[`${at}.*`] ? describe(others, `${at}.*`) : others,
    }),
    ...(node.$defs && {
      $defs: Object.fromEntries(Object.entries($defs).map(([name, child]) => [name, withChildren(child, name)])),
    }),
  };
}

function describe(node: SchemaNode, at: string): SchemaNode {
  return { description: descriptionOf(at, node), ...withChildren(node, at) };
}

/** @throws BuildError where there is none, or a value is missing */
function descriptionOf(at: string, node: SchemaNode): string {
  const text = texts[at];
  if (text === undefined) throw new BuildError(`${FILE}: nothing for ${at}`);
  const { 'x-duration': range, 'x-values': own } = node;
  const values: SchemaNode['x-values'] = {
    ...(range && { least: written(range.least), most: written(range.most) }),
    ...own,
  };
  const filled = (whole: string): string =>
    whole.replaceAll(/(?<!\$)\{(\w+)\}/g, (_all, name: string) => {
      if (values[name] === undefined) throw new BuildError(`${FILE}: ${at}: no value for {${name}}`);
      return String(values[name]);
    });
  const description = { en: filled(text.en), ro: filled(text.ro), fr: filled(text.fr) };
  used.set(at, description);
  return description.en;
}
