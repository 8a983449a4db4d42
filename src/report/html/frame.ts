/** The frame of every HTML page, and the signs beside status words. */
import type { Finding } from '../../core/finding.ts';
import type { Status, Verdict } from '../../core/check.ts';
import type { Language } from '../../locales/language.ts';
import { statusBy, VERDICT_STATUS } from '../../core/verdict.ts';
import { frameLines } from '../terminal.ts';
import { markup, verbatim, type Markup } from './markup.ts';

export interface Frame {
  readonly language: Language;
  readonly title: string;
  readonly tone: Tone;
  readonly generator: string;
  readonly policy: string;
  /** A `<style>` or a link to a stylesheet. */
  readonly head: Markup;
  readonly body: Markup;
}

/** Own styles and pictures, and nothing else (CSP Level 3). A `<meta>` cannot set `frame-ancestors` or `sandbox`. */
export function policyOf(style: string, images: string): string {
  return `default-src 'none'; style-src ${style}; img-src ${images}; base-uri 'none'; form-action 'none'`;
}

export function framed({ language, title, tone, generator, policy, head, body }: Frame): string {
  const { html } = markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${generator}">
<title>${title}</title>
<link rel="icon" href="${tabIcon(tone)}">
${head}
</head>
<body>
${body}
</body>
</html>`;
  return `${html}\n`;
}

/** `null` where there is no content. */
export function section(id: string, heading: string, content: Markup | readonly Markup[] | null | false) {
  if (!content || (Array.isArray(content) && content.length === 0)) return null;
  return markup`
<section aria-labelledby="_${id}">
<h2 id="_${id}">${heading}</h2>
${content}
</section>`;
}

export function frameOf(finding: Parameters<typeof frameLines>[0]): Markup | null {
  // Text that is put into markup keeps no line breaks.
  const lines = frameLines(finding).map((line) => markup`${line}${verbatim('\n')}`);
  return lines.length === 0 ? null : markup`<pre class="frame" dir="ltr">${lines}</pre>`;
}

export function capital(word: string, language: Language): string {
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
}

/* Signs, so that colour is never the only difference. */

/** Also the name of its colour in the styles. */
export type Tone = Status | 'stale' | 'note';

export const toneBySeverity = (finding: Pick<Finding, 'severity'>): Tone =>
  finding.severity === 'info' ? 'note' : statusBy(finding);

export const VERDICT_TONE: Readonly<Record<Verdict, Tone>> = { ...VERDICT_STATUS, stale: 'stale' };

/** Strokes in a circle of 16, and colours for light and dark backgrounds. */
const SIGNS: Readonly<Record<Tone, readonly [strokes: string, colour: string]>> = {
  pass: ['M4.8 8.3l2.2 2.2 4.3-4.8', '#1f883d'],
  warn: ['M8 4.3v4.6M8 11.5v.1', '#bf8700'],
  fail: ['M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2', '#d1242f'],
  skip: ['M5 8h6', '#6e7781'],
  unknown: ['M6.2 6.3a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.7-.9 1.3M8 11.6v.1', '#8250df'],
  stale: ['M8 4.4V8l2.4 1.7', '#bf8700'],
  note: ['M8 7.6v3.8M8 4.6v.1', '#0969da'],
};

/** Size and colours are attributes, too, for viewers without styles. */
export function iconOf(tone: Tone, size = 16): Markup {
  const [strokes, colour] = SIGNS[tone];
  return markup`<svg class="sign ${tone}" width="${size}" height="${size}" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="8" fill="${colour}"/><path d="${strokes}" fill="none" stroke="#fff" stroke-width="1.8"/></svg>`;
}

function tabIcon(tone: Tone): Markup {
  const [strokes, colour] = SIGNS[tone];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${colour}"/>` +
    `<path d="${strokes}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  return verbatim(`data:image/svg+xml,${encodeURIComponent(svg).replaceAll("'", '%27')}`);
}
