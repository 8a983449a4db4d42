import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { translateHelp } from './help.ts';
import { makeProgram } from './commands.ts';

const program = (): Command => makeProgram({ done: () => {}, print: () => {} });

const ENTRIES = parse(readFileSync(new URL('../locales/help.yaml', import.meta.url), 'utf8')) as readonly {
  readonly en: string;
  readonly ro: string;
  readonly fr: string;
}[];

/** Headings and marks of commander, and of the help itself. */
const FRAME = ['Usage:', 'Options:', 'Arguments:', 'Commands:', 'Examples:', 'default:', 'choices:'];
const OWN = ['print this help', 'print the help of a command', 'Check a site:', 'Monitor sites:', 'Set up:'];

/** Every text that a command declares. */
function textsOf(command: Command): string[] {
  return [
    command.summary(),
    command.description(),
    ...command.options.map(({ description }) => description),
    ...command.registeredArguments.map(({ description }) => description),
    ...command.commands.flatMap(textsOf),
  ].filter((text) => text !== '');
}

describe('the help in other languages', () => {
  it('translates every text of every command, and nothing else', () => {
    const declared = new Set([...textsOf(program()), ...FRAME, ...OWN]);
    const translated = ENTRIES.map(({ en }) => en);
    expect([...declared].filter((text) => !translated.includes(text))).toEqual([]);
    expect(translated.filter((text) => !declared.has(text))).toEqual([]);
  });

  it.each(['ro', 'fr'] as const)('leaves no English in %s', (language) => {
    const command = program();
    translateHelp(command, language);
    const english = ENTRIES.filter((entry) => entry.en !== entry[language]).map(({ en }) => en);
    const pages = [command, ...command.commands].map((one) => one.helpInformation().replaceAll(/\s+/g, ' '));
    const left = english.filter((text) => pages.some((page) => page.includes(` ${text} `)));
    expect(left).toEqual([]);
  });
});
