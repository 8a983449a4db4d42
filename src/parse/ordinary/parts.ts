import type { Run } from './emphasis.ts';
import type { Span } from './spans.ts';

/** A part of a text of one block. */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** `null`: plain text. */
  readonly span: Exclude<Span, { type: 'run' | 'link-end' }> | null;
}

/** The parts of a text in order; marks of emphasis and the ends of links are left out. */
export function* partsOf(text: string, spans: readonly Span[], from = 0, to = text.length): Generator<Part> {
  let at = from;
  for (const span of spans) {
    if (span.type === 'bracket') continue;
    if (span.type === 'run') {
      const around = aroundRun(span, at);
      yield* around.parts;
      at = around.end;
      continue;
    }
    if (at < span.start) yield { start: at, end: span.start, span: null };
    if (span.type !== 'link-end') yield { start: span.start, end: span.end, span };
    at = span.end;
  }
  if (at < to) yield { start: at, end: to, span: null };
}

/** The text before and in a run, `at` being where the text before begins; and where the text after it does. */
function aroundRun({ start, end, closes, opens }: Run, at: number): { parts: Part[]; end: number } {
  if (closes + opens === 0) return { parts: [], end: at };
  const parts: Part[] = [];
  if (closes > 0 && at < start) parts.push({ start: at, end: start, span: null });
  // What a run neither closes nor opens emphasis with is text: of the text before it, where it closes none.
  const rest = closes > 0 ? start + closes : at;
  if (opens === 0) return { parts, end: rest };
  if (rest < end - opens) parts.push({ start: rest, end: end - opens, span: null });
  return { parts, end };
}
