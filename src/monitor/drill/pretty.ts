import { printable } from '../../printable.ts';
import { layoutOf, type Layout } from '../../report/terminal.ts';
import type { ReportOptions } from '../../report/options.ts';
import { prettyReport } from '../../report/pretty.ts';
import { textWidth } from '../../text-width.ts';
import type { Language } from '../../texts.ts';
import type { DrillResult } from './drill.ts';
import type { Failure } from './source.ts';
import { seconds } from '../../locales/format.ts';
import type { DrillWords } from '../../generated/locales/drill.ts';

export interface DrillReportOptions extends Pick<
  ReportOptions,
  'texts' | 'messages' | 'columns' | 'colour' | 'detail'
> {
  readonly words: DrillWords;
  /** The output of the command was printed while it ran. */
  readonly outputShown: boolean;
}

/** A drill for a person at a terminal; ends with a newline. */
export function prettyDrill(result: DrillResult, options: DrillReportOptions): string {
  const page = layoutOf(options);
  const { words } = options;
  const { source, commit, folder, interrupted } = result;
  const blocks = [
    page.prose(words.title(printable(source), commit?.slice(0, 7) ?? null), 0).map((line) => page.style.strong(line)),
    stepLines(result, options, page),
    interrupted ? page.prose(words.stopped, 0) : [],
    result.failure === null ? [] : failureLines(result.failure, options, page),
    reportLines(result, options),
    result.notes.flatMap((note) => {
      const text = note.id === 'uncommitted' ? words.notes.uncommitted(note.count) : words.notes[note.id];
      return page.prose(`! ${text}`, 0).map((line) => page.style.doubtful(line));
    }),
    folder === null ? [] : page.wrapped(words.kept(printable(folder)), 0),
    page.prose(verdictLine(result, options, page), 0),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function stepLines(
  { steps, failure, totalMs, site, url }: DrillResult,
  options: DrillReportOptions,
  page: Layout,
): string[] {
  const { words, texts } = options;
  const names = [
    ...steps.map(({ id }) => words.steps[id]),
    ...(failure === null ? [] : [words.steps[failure.step]]),
    words.total,
  ];
  const widest = Math.max(...names.map((name) => textWidth(name)));
  const row = (mark: string, name: string, ms: number | null): string => {
    const time = ms === null ? '' : seconds(texts.language, ms).padStart(9);
    return `${mark} ${name}${' '.repeat(widest - textWidth(name))} ${time}`.trimEnd();
  };
  const location =
    url === null ? [] : page.wrapped(words.location(site === null ? null : printable(site), printable(url)), 0);
  return [
    ...location.map((line) => page.style.quiet(line)),
    ...steps.map(({ id, durationMs }) => page.style.good(row('✓', words.steps[id], durationMs))),
    ...(failure === null ? [] : [page.style.bad(row('✗', words.steps[failure.step], null))]),
    row(' ', words.total, totalMs),
  ];
}

function failureLines(failure: Failure, { words, outputShown }: DrillReportOptions, page: Layout): string[] {
  const { reason, detail, output } = failure;
  const message = detail === null ? [] : page.wrapped(printable(detail), 2).map((line) => page.style.quiet(line));
  const printed = outputShown ? [] : output.flatMap((line) => page.wrapped(printable(line), 4));
  const fix = words.fixes[reason];
  return [
    ...page.prose(words.failures[reason], 0),
    ...message,
    ...(printed.length === 0 ? [] : [...page.prose(words.output, 2), ...printed]),
    ...(fix === null ? [] : page.prose(fix, 0)),
  ];
}

/** The findings, if the site is not healthy or the user wants everything. */
function reportLines({ report, failure }: DrillResult, options: DrillReportOptions): string[] {
  if (report === null || (failure === null && options.detail !== 'verbose')) return [];
  const detail = options.detail === 'verbose' ? 'verbose' : 'quiet';
  return [prettyReport(report, { ...options, detail, locate: () => null }).trimEnd()];
}

function verdictLine(
  { failure, totalMs, objectiveMs, objectiveMet }: DrillResult,
  options: DrillReportOptions,
  page: Layout,
): string {
  const { words, texts } = options;
  const total = seconds(texts.language, totalMs);
  if (objectiveMet === null) return words.unknown(total);
  const verdict = objectiveMet ? page.style.good(words.met) : page.style.bad(words.missed);
  const objective = wholeSeconds(objectiveMs, texts.language);
  return failure === null ? words.recovered(total, objective, verdict) : words.notRecovered(total, objective, verdict);
}

/** `60 s`, without the decimals that a measured time has. */
function wholeSeconds(ms: number, language: Language): string {
  return ms % 1000 === 0 ? `${new Intl.NumberFormat(language).format(ms / 1000)}\u00a0s` : seconds(language, ms);
}
