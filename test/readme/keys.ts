/** Tables of what the configuration may hold, from its schema, and of the commands' options. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { ROOT } from './parts.ts';

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
}

const SCHEMA = JSON.parse(readFileSync(path.join(ROOT, 'dist', 'schema', 'config.json'), 'utf8')) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** They are the same in the rest of the file, where the README shows them. */
const NOT_OPENED = new Set(['limits', 'checks', 'modules']);

/** What a part of the file may hold: `site`, `route`, `monitor`. */
export function keyTable(part: 'site' | 'route' | 'monitor'): string {
  const schema = part === 'monitor' ? SCHEMA.properties?.['monitor'] : SCHEMA.$defs[part];
  const rows = rowsOf(schema ?? {}, '');
  return `| key | what it says | example |\n| :--- | :--- | :--- |\n${rows.join('')}`;
}

function rowsOf({ properties = {} }: Schema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const whole = { ...referred(schema), ...schema };
    const [example] = whole.examples ?? whole.enum ?? [];
    const shown = example === undefined ? '' : `\`${inYaml(example)}\``;
    const row = `| \`${prefix}${key}\` | ${cell(whole.description ?? '')} | ${cell(shown)} |\n`;
    if (NOT_OPENED.has(key)) return [row];
    const inner = whole.items === undefined ? whole : { ...referred(whole.items), ...whole.items };
    return [row, ...rowsOf(inner, `${prefix}${key}${whole.items === undefined ? '.' : '[].'}`)];
  });
}

const referred = ({ $ref = '' }: Schema): Schema => SCHEMA.$defs[$ref.replace('#/$defs/', '')] ?? {};

/** As one would write it on one line. */
const inYaml = (value: unknown): string =>
  typeof value === 'string' ? value : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/** What most commands have, told once. */
const COMMON = ['--config', '--database', '--format', '--lang', '--no-color'];

/** The options of some commands, in the order of the names; what they share as the last of them has it comes last. */
export function optionTable({ commands }: Command, names: readonly string[]): string {
  const chosen = names.flatMap((name) => commands.filter((command) => command.name() === name));
  const all = chosen.flatMap(({ options }) => options);
  const common = COMMON.flatMap((long) => all.findLast((option) => option.long === long) ?? []).map(aboutOption);
  const own = chosen.flatMap((command) =>
    command.options
      .map(aboutOption)
      .filter((about) => !common.includes(about))
      .map((about) => `| \`${command.name()}\` ${about}`),
  );
  const rows = [...own, ...common.map((about) => `| most ${about}`)];
  return `| command | option | what it does |\n| :--- | :--- | :--- |\n${rows.join('')}`;
}

function aboutOption({ flags, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const isTold = typeof defaultValue === 'boolean' || defaultValue === undefined;
  const preset = isTold ? '' : ` (default: ${String(defaultValue)})`;
  return `| \`${flags}\` | ${cell(`${description}${choices}${preset}`)} |\n`;
}

/** Text in the cell of a table; what stands between backticks is shown as it is. */
const cell = (text: string): string =>
  text
    .replaceAll('|', String.raw`\|`)
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');
