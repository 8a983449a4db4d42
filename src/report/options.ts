import type { Location } from '../check.ts';
import type { Texts } from '../texts.ts';
import type { Messages } from '../locales/messages.ts';

export interface ReportOptions {
  readonly texts: Texts;
  readonly messages: Messages;
  readonly columns: number;
  readonly colour: boolean;
  /** `quiet`: only what needs attention. `verbose`: also timings and the documented action. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  readonly locate: Locate;
}

/** From a location on the site to the one in the repository; `null`: not known there. */
export type Locate = (location: Location) => RepositoryLocation | null;

export interface RepositoryLocation {
  readonly file: string;
  /** `null`: another version of the file is live. */
  readonly line: number | null;
  readonly column: number | null;
}

export const LOCATE_NOTHING: Locate = () => null;
