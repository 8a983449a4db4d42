import type { Location } from '../check.ts';
import type { Texts } from '../texts.ts';
import type { Messages } from '../locales/messages.ts';

export interface ReportOptions {
  readonly texts: Texts;
  readonly messages: Messages;
  readonly columns: number;
  readonly colour: boolean;
  /** `quiet`: only what needs attention. `verbose`: timings and the documented action as well. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  /** Finds a place of the site in the repository; `null`: it is not known there. */
  readonly locate: Locate;
}

/** From a place on the site to its place in the repository. */
export type Locate = (location: Location) => RepositoryLocation | null;

/** A place in a repository, as SARIF and annotations want it. */
export interface RepositoryLocation {
  /** From the repository's root, with `/`. */
  readonly file: string;
  /** Counts from 1; `null`: the file is known, but what is live is another version of it. */
  readonly line: number | null;
  readonly column: number | null;
}

export const LOCATE_NOTHING: Locate = () => null;

/** The outputs, as `--format` and `--report` name them. */
export const FORMAT_NAMES = [
  'pretty',
  'json',
  'junit',
  'sarif',
  'markdown',
  'github',
  'tap',
  'prometheus',
  'html',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
