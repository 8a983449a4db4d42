import { Option } from 'commander';
import { fileOf, languageOf } from '../project/arguments.ts';

/** The language, which every command that says more than a word has. */
export function languageOption(): Option {
  return new Option(
    '--lang <language>',
    'language of the texts: en, ro, fr (default: configuration, then locale)',
  ).argParser(languageOf);
}

/** The configuration, for every command about a project. */
export function configOption(): Option {
  const option = new Option(
    '--config <file>',
    'configuration (default: docvitals.yaml, .yml, .json or .config.ts here)',
  );
  return option.argParser(fileOf('--config'));
}
