/** What every part of the HTML report needs, and how its parts are linked. */
import type { Report } from '../../check.ts';
import type { Group } from '../groups.ts';
import type { ReportOptions } from '../options.ts';
import { htmlWords, type HtmlWords } from '../../generated/locales/html.ts';

/** Characters of findings that a file has at most. A browser opens twice as much at once, and a mail takes it. */
const MOST_CHARACTERS = 2_000_000;

export interface HtmlContext extends Pick<ReportOptions, 'texts' | 'messages' | 'locate'> {
  readonly words: HtmlWords;
  readonly report: Report;
  /** How many more characters of findings fit into the file. */
  readonly room: { characters: number };
  /** Each fix with the finding that it was printed for, as `<check id>/<rule>`. */
  readonly printedFixes: Map<string, string>;
}

export function htmlContextOf(report: Report, { texts, messages, locate }: ReportOptions): HtmlContext {
  const words = htmlWords(texts.language);
  const room = { characters: MOST_CHARACTERS };
  return { texts, messages, words, locate, report, room, printedFixes: new Map() };
}

/**
 * The id of a check (`links`), of a rule (`links/missing`) or of one finding (`links/missing/3`), for links to it. The
 * same in every report, so that links into a report that is replaced keep their meaning.
 */
export function anchorOf(...parts: readonly string[]): string {
  // The ids of checks are plain; those of a report that another program made need not be.
  return parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('/');
}

/**
 * The id of a group: that of its rule. Where a worse one among `groups` has the same rule, with its severity
 * (`links/missing/warning`).
 */
export function anchorOfGroup({ id, rule, severity }: Group, groups: readonly Group[]): string {
  const worst = groups.find((other) => other.id === id && other.rule === rule);
  return worst === undefined || worst.severity === severity ? anchorOf(id, rule) : anchorOf(id, rule, severity);
}
