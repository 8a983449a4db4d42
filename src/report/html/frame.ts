/** What surrounds every HTML page: its head with the policy that allows its own styles and pictures only. */
import type { Language } from '../../texts.ts';
import { tabIcon, type Tone } from './icons.ts';
import { markup, verbatim, type Markup } from './markup.ts';

/** A page. */
export interface Frame {
  readonly language: Language;
  readonly title: string;
  /** Of the icon in the browser's tab. */
  readonly tone: Tone;
  /** Name and version of the program. */
  readonly generator: string;
  readonly policy: string;
  /** A `<style>` or a link to a style sheet, and what else the head has. */
  readonly head: Markup;
  readonly body: Markup;
}

/**
 * The policy (CSP Level 3): styles from `style`, pictures from `images`, and nothing else. Nothing is run.
 * A `<meta>` cannot set `frame-ancestors` or `sandbox`.
 */
export function policyOf(style: string, images: string): string {
  return `default-src 'none'; style-src ${style}; img-src ${images}; base-uri 'none'; form-action 'none'`;
}

/** The whole page; ends with a newline. */
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

/** A section under a heading; `null` where there is nothing in it. */
export function section(id: string, heading: string, content: Markup | readonly Markup[] | null): Markup | null {
  if (content === null || (Array.isArray(content) && content.length === 0)) return null;
  return markup`
<section aria-labelledby="_${id}">
<h2 id="_${id}">${heading}</h2>
${content}
</section>`;
}

/** A word as it begins a line. */
export function capital(word: string, language: Language): string {
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
}
