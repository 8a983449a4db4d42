import { printable } from '../../printable.ts';
import { layoutOf, type Layout } from '../../report/terminal.ts';
import type { ReportOptions } from '../../report/options.ts';
import { prettyReport } from '../../report/pretty.ts';
import { padded, textWidth } from '../../text-width.ts';
import type { Language } from '../../texts.ts';
import type { DrillResult } from './drill.ts';
import type { Failure } from './source.ts';
import { numberIn, seconds } from '../../locales/format.ts';
import type { DrillWords } from '../../generated/locales/drill.ts';

export interface DrillReportOptions extends Pick<
  ReportOptions,
  'texts' | 'messages' | 'columns' | 'colour' | 'detail'
> {
  readonly words: DrillWords;
  /** The output of the command was printed while it ran. */
  readonly outputShown: boolean;
}

type Context = DrillReportOptions & { readonly page: Layout };

/** A drill for a person at a terminal; ends with a newline. */
export function prettyDrill(result: DrillResult, options: DrillReportOptions): string {
  const page = layoutOf(options);
  const context = { ...options, page };
  const { words } = options;
  const { source, commit, folder, interrupted } = result;
  const blocks = [
    page.prose(words.title(printable(source), commit?.slice(0, 7) ?? null), 0).map((line) => page.style.strong(line)),
    stepLines(result, context),
    interrupted ? page.prose(words.stopped, 0) : [],
    result.failure === null ? [] : failureLines(result.failure, context),
    reportLines(result, options),
    result.notes.flatMap((note) => {
      const text = note.id === 'uncommitted' ? words.notes.uncommitted(note.count) : words.notes[note.id];
      return page.prose(`! ${text}`, 0).map((line) => page.style.doubtful(line));
    }),
    folder === null ? [] : page.wrapped(words.kept(printable(folder)), 0),
    page.prose(verdictLine(result, context), 0),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function stepLines({ steps, failure, totalMs, site, url }: DrillResult, { words, texts, page }: Context): string[] {
  const rows = [
    ...steps.map(({ id, durationMs }) => ['✓', words.steps[id], durationMs, page.style.good] as const),
    ...(failure === null ? [] : [['✗', words.steps[failure.step], null, page.style.bad] as const]),
    [' ', words.total, totalMs, String] as const,
  ];
  const widest = Math.max(...rows.map(([, name]) => textWidth(name)));
  const lines = rows.map(([mark, name, ms, style]) => {
    const time = ms === null ? '' : seconds(texts.language, ms).padStart(9);
    return style(`${mark} ${padded(name, widest)} ${time}`.trimEnd());
  });
  const location = url === null ? null : words.location(site === null ? null : printable(site), printable(url));
  return location === null ? lines : [...page.quietly(location, 0), ...lines];
}

function failureLines({ reason, detail, output }: Failure, { words, outputShown, page }: Context): string[] {
  const printed = outputShown ? [] : output.flatMap((line) => page.wrapped(printable(line), 4));
  const fix = words.fixes[reason];
  return [
    ...page.prose(words.failures[reason], 0),
    ...(detail === null ? [] : page.quietly(printable(detail), 2)),
    ...(printed.length === 0 ? [] : [...page.prose(words.output, 2), ...printed]),
    ...(fix === null ? [] : page.prose(fix, 0)),
  ];
}

/** The findings, if the site is not healthy or the user wants everything. */
function reportLines({ report, failure }: DrillResult, options: DrillReportOptions): string[] {
  const { detail } = options;
  if (report === null || (failure === null && detail !== 'verbose')) return [];
  const shown = detail === 'verbose' ? 'verbose' : 'quiet';
  return [prettyReport(report, { ...options, detail: shown, locate: () => null }).trimEnd()];
}

function verdictLine({ failure, totalMs, objectiveMs, objectiveMet }: DrillResult, context: Context): string {
  const { words, texts, page } = context;
  const total = seconds(texts.language, totalMs);
  if (objectiveMet === null) return words.unknown(total);
  const verdict = objectiveMet ? page.style.good(words.met) : page.style.bad(words.missed);
  const objective = wholeSeconds(objectiveMs, texts.language);
  return failure === null ? words.recovered(total, objective, verdict) : words.notRecovered(total, objective, verdict);
}

/** `60 s`, without the decimals that a measured time has. */
function wholeSeconds(ms: number, language: Language): string {
  return ms % 1000 === 0 ? `${numberIn(language, ms / 1000)}\u00a0s` : seconds(language, ms);
}
