import { Option } from 'commander';
import { fileOf, formatAmong, languageOf } from '../project/arguments.ts';

/** The language, which every command that says more than a word has. */
export function languageOption(): Option {
  return new Option(
    '--lang <language>',
    'language of the texts: en, ro, fr (default: configuration, then locale)',
  ).argParser(languageOf);
}

/** Colours, which every command has, whether or not it uses any. */
export function colourOption(): Option {
  return new Option('--no-color', 'no colours (also: NO_COLOR=1)');
}

/** The configuration, for every command about a project. */
export function configOption(): Option {
  const option = new Option(
    '--config <file>',
    'configuration (default: docvitals.yaml, .yml, .json or .config.ts here)',
  );
  return option.argParser(fileOf('--config'));
}

/** The formats of a command that has some of its own; the first is the default. */
export function formatOption(formats: readonly [string, ...string[]], about = 'what to print'): Option {
  const option = new Option('--format <format>', about).choices(formats);
  return option.argParser(formatAmong('--format', formats)).default(formats[0]);
}

/** The monitor's database, for every command about what it found. */
export function databaseOption(): Option {
  const option = new Option('--database <file>', 'database (default: monitor.database, then docvitals.db here)');
  return option.argParser(fileOf('--database'));
}
