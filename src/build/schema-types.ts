/** TypeScript types of what fits a JSON Schema, with its descriptions as comments. Pure. */
import type { SchemaNode } from '../config/define.ts';

/** The source of a module with an interface for the schema, and one for each mapping among its `$defs`: `site` → `SiteFile`. */
export function typesOf(schema: SchemaNode, name: string): string {
  const definitions = Object.entries(schema.$defs ?? {});
  const named = new Set(definitions.filter(([, node]) => isNamed(node)).map(([key]) => key));
  const write = (node: SchemaNode, indent = ''): string => {
    const key = node.$ref?.slice('#/$defs/'.length);
    if (key === undefined) return typeOf(node, indent, write);
    return named.has(key) ? typeName(key) : write(schema.$defs?.[key] ?? {}, indent);
  };
  const parts = definitions
    .filter(([key]) => named.has(key))
    .map(([key, node]) => `export type ${typeName(key)} = ${typeOf(node, '', write)};`);
  return [
    '/** Types of the configuration file. Made by the build from `src/config/schema.ts`. */',
    ...parts,
    `/** ${schema.description} */\nexport interface ${name} ${typeOf(schema, '', write)}`,
  ].join('\n\n');
}

/** Texts and lists are written out where they are used. */
function isNamed({ properties, anyOf = [] }: SchemaNode): boolean {
  return properties !== undefined || anyOf.some(isNamed);
}

function typeName(key: string): string {
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}File`;
}

type Write = (node: SchemaNode, indent?: string) => string;

function typeOf(node: SchemaNode, indent: string, write: Write): string {
  if (node.anyOf !== undefined) return node.anyOf.map((branch) => write(branch, indent)).join(' | ');
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((value) => `'${value}'`).join(' | ');
  if (node.type === 'array') {
    const item = write(node.items ?? {}, indent);
    return `readonly ${/^\w+$/.test(item) ? item : `(${item})`}[]`;
  }
  if (node.type === 'integer') return 'number';
  if (node.type !== 'object') return node.type ?? 'unknown';
  if (typeof node.additionalProperties === 'object') {
    return `Readonly<Record<string, ${write(node.additionalProperties, indent)}>>`;
  }
  return node.properties === undefined ? 'object' : mappingType(node, indent, write);
}

function mappingType({ properties = {}, required = [] }: SchemaNode, indent: string, write: Write): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([key, node]) => {
    const comment =
      node.description === undefined ? '' : `${inner}/** ${node.description.replaceAll('*/', '*\\/')} */\n`;
    return `${comment}${inner}readonly ${key}${required.includes(key) ? '' : '?'}: ${write(node, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}
