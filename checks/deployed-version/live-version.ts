/** Holds what a site tells against the version that was expected. Pure. */
import type { Evidence } from '../../src/check.ts';
import { isOneScheme, kindOf, nameIn, names, type VersionKind } from './match.ts';
import type { VersionText } from './version-texts.ts';

/** What is looked for. */
export interface ExpectedName {
  readonly version: string;
  /** Others that are as good. */
  readonly alternatives: readonly string[];
  /** The site need not tell its version. */
  readonly optional: boolean;
}

/** A version, and where it was told. */
export interface FoundVersion {
  readonly version: string;
  readonly where: string;
}

/** Names that evidence repeats, and their length in UTF-16 code units. */
const MOST_SHOWN = 5;
const LONGEST_SHOWN = 200;

/** The version that was expected, or one that is as good, among what is told; `null`: it is not there. */
export function liveIn(texts: readonly VersionText[], { version, alternatives }: ExpectedName): FoundVersion | null {
  for (const one of [version, ...alternatives]) {
    const live = foundAs(texts, one);
    if (live !== null) return live;
  }
  return null;
}

function foundAs(texts: readonly VersionText[], version: string): FoundVersion | null {
  const kind = kindOf(version);
  // Nothing but a commit's name is known by its looks.
  const live = texts.find((one) => (one.named || kind === 'commit') && names(one.text, version));
  return live === undefined ? null : { version: nameIn(live.text, kind) ?? shown(live.text), where: live.where };
}

/** The same for a file that holds little else: where no key says that it is the version, any may be. */
export function liveInFile(texts: readonly VersionText[], expected: ExpectedName): FoundVersion | null {
  const isNamed = texts.some(({ named }) => named);
  return liveIn(isNamed ? texts : texts.map((one) => ({ ...one, named: true })), expected);
}

/** Another version that can be held against the one that was expected: `1.4.0` against `1.5.0`, never against a commit. */
export function otherIn(texts: readonly VersionText[], { version }: ExpectedName): FoundVersion | null {
  const named = texts.filter((one) => one.named);
  return ofKind(named, kindOf(version)) ?? (DIGITS.test(version) ? ofKind(named, 'commit') : null);
}

/** May be the abbreviated name of a commit, as well as a number. */
const DIGITS = /^\d{7,40}$/;

function ofKind(texts: readonly VersionText[], kind: VersionKind): FoundVersion | null {
  for (const { text, where } of texts) {
    const name = nameIn(text, kind);
    if (name !== null) return { version: shown(name), where };
  }
  return null;
}

/** A version that contradicts the one that was expected, where that is not told as well. */
export function rivalIn(texts: readonly VersionText[], expected: ExpectedName): FoundVersion | null {
  if (liveInFile(texts, expected) !== null) return null;
  const kind = kindOf(expected.version);
  const rivals = texts.filter(
    ({ itself, text }) => itself === true && isOneScheme(nameIn(text, kind) ?? '', expected.version),
  );
  return ofKind(rivals, kind);
}

/** What else the site tells of versions, for whoever wants to know why nothing was found. */
export function otherVersions(texts: readonly VersionText[]): Evidence {
  const all = texts.filter(({ named, text }) => named && text.trim() !== '');
  return all.length === 0
    ? {}
    : { told: all.slice(0, MOST_SHOWN).map(({ text, where }) => `${shown(text)} (${where})`) };
}

/** A text as evidence repeats it. */
export function shown(text: string): string {
  const short = text.trim().slice(0, LONGEST_SHOWN + 1);
  return short.length > LONGEST_SHOWN ? `${short.slice(0, LONGEST_SHOWN)}…`.toWellFormed() : short;
}
