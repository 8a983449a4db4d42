import type { Answer, Reply } from '../core/answer.ts';
import type { SeverityOrOutcome } from '../core/finding.ts';
import { isOk, replyEvidence, mediaTypeOf } from './reply.ts';
import { isHtmlDocument } from '../parse/html.ts';
import { decoded } from '../parse/urls.ts';

export const FALLBACK_RULES = { 'spa-fallback': 'error', html: 'error' } as const satisfies Record<
  string,
  SeverityOrOutcome
>;

export function isFallback(reply: Reply, bundle: Answer): boolean {
  if (bundle.kind !== 'reply' || bundle.status !== 200 || bundle.body.length === 0) return false;
  return Buffer.compare(reply.body, bundle.body) === 0;
}

/** Whether the bundle itself was requested (`homePage: index.html`): then nothing came instead of anything. */
export function isBundleRequested(reply: Reply, bundle: Answer): boolean {
  const [asked, shell] = [reply, bundle].map(({ requestUrl }) => requestUrl.replace(/[?#].*$/s, ''));
  return asked === shell || asked === shell?.replace(/[^/]*$/, '');
}

/** A page that is HTML on purpose, as docsify and browsers show it. */
export const isHtmlPath = (url: string): boolean => /^[^?#]*\.html?(?:[?#]|$)/i.test(url);

/** The body decides: Markdown that is served as `text/html` has the wrong media type and nothing else. */
export function htmlInstead(reply: Reply, text: string, bundle: Answer) {
  if (isFallback(reply, bundle) && !isBundleRequested(reply, bundle)) {
    return { rule: 'spa-fallback', evidence: replyEvidence(reply) } as const;
  }
  // The bundle itself is no page.
  if (isHtmlPath(reply.requestUrl) && !isBundleRequested(reply, bundle)) return null;
  const isHtml = isHtmlDocument(text) || (mediaTypeOf(reply) === 'text/html' && !looksLikeMarkdown(text));
  return isHtml ? ({ rule: 'html', evidence: replyEvidence(reply) } as const) : null;
}

/** Bodies that a host makes for each request: they differ in a nonce, a time or the path. Pure, linear, bounded. */

/** With how often each occurs. */
type Words = ReadonlyMap<string, number>;

export type Fingerprint = ReturnType<typeof fingerprint>;

/** The requested path, in the forms in which a body may repeat it. */
type Echo = ReturnType<typeof echoOf>;

export type Template = NonNullable<ReturnType<typeof learn>>;

/** Only so much of the beginning and of the end of a long body is checked, in bytes. */
const WINDOW = 16 * 1024;
/** A word is what no mark of HTML, JSON or plain text splits; longer ones are cut. */
const WORD = /[^\s<>"'`=;,(){}[\]]{1,200}/g;
/** Shorter words occur in too many paths: they must be a whole part. */
const SHORTEST_ECHO = 2;
/** Two bodies are alike from this share of common words on. */
const ALIKE = 0.8;
/** HTML whose words vary more than this, measured by those that do not, has no template. */
const MOST_VARYING = 1 / 3;
/** At most this share of an HTML template's words may be missing from a body; and only words with a digit in them may be. */
const VOLATILE_SHARE = 0.05;
const VOLATILE_LEAST = 3;
const SHORTEST_TIME = 6;
/** Where words vary, their number may vary a little, too. */
const HTML_SLACK = 2;

/**
 * What bodies have in common; `null`: nothing. `varying`: most words that one of them has beyond that, the words of its own
 * path left out.
 */
export function learn(bodies: readonly Fingerprint[]) {
  const [first, ...others] = bodies;
  if (first === undefined || others.some(({ html }) => html !== first.html)) return null;
  const common = others.reduce((shared, body) => intersection(shared, body.words()), first.words());
  const size = count(common);
  const varying = Math.max(...bodies.map((body) => beyond(body, common).length));
  if (size === 0 || varying > size * (first.html ? MOST_VARYING : 1)) return null;
  return { html: first.html, whole: bodies.every(({ whole }) => whole), common, size, varying };
}

/** All constant parts are present, and no more besides than varies. */
export function fits(template: Template, body: Fingerprint): boolean {
  if (body.html !== template.html) return false;
  const missing = unmatched(template.common, body.words());
  if (missing.length > mostVolatile(template) || !missing.every((word) => isVolatile(word, template))) return false;
  const slack = template.html && template.varying > 0 ? HTML_SLACK : 0;
  return beyond(body, template.common).length <= template.varying + missing.length + slack;
}

/** Empty bodies are never alike. */
export function alike(one: Fingerprint, other: Fingerprint): boolean {
  if (one.html !== other.html) return false;
  const common = intersection(one.words(), other.words());
  const shared = count(common);
  const all = 2 * shared + beyond(one, common).length + beyond(other, common).length;
  return shared > 0 && (2 * shared) / all >= ALIKE;
}

/** `whole`: the body was short enough to be checked from end to end. */
export function fingerprint(url: string, body: Uint8Array) {
  const whole = body.length <= 2 * WINDOW;
  const text = textOf(body);
  let words: Words | undefined;
  let path: Echo | undefined;
  return {
    html: isHtmlDocument(text),
    whole,
    words: (): Words => (words ??= wordsOf(text, whole)),
    path: (): Echo => (path ??= echoOf(url)),
  };
}

/** A time that was the same in all samples may be another one later: short texts have few words, so they must look it. */
function isVolatile(word: string, { html, whole }: Template): boolean {
  // What was put in has moved other words out of the window.
  if (!whole) return true;
  return /\d/.test(word) && (html || word.length >= SHORTEST_TIME);
}

function mostVolatile({ html, size }: Template): number {
  if (html) return Math.max(VOLATILE_LEAST, Math.floor(size * VOLATILE_SHARE));
  return Math.min(2, Math.floor(size / 3));
}

function textOf(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length <= 2 * WINDOW) return bytes.toString('utf8');
  return `${bytes.toString('utf8', 0, WINDOW)} ${bytes.toString('utf8', bytes.length - WINDOW)}`;
}

function wordsOf(text: string, whole: boolean): Words {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) words.set(word, whole ? (words.get(word) ?? 0) + 1 : 1);
  return words;
}

function count(words: Words): number {
  return [...words.values()].reduce((sum, times) => sum + times, 0);
}

function intersection(a: Words, b: Words): Words {
  const both = [...a].map(([word, times]) => [word, Math.min(times, b.get(word) ?? 0)] as const);
  return new Map(both.filter(([, times]) => times > 0));
}

function unmatched(a: Words, b: Words): readonly string[] {
  return [...a].flatMap(([word, times]) => Array.from({ length: Math.max(0, times - (b.get(word) ?? 0)) }, () => word));
}

/** The words of a body that are not common, but for those that repeat its own path. */
function beyond({ words, path }: Fingerprint, common: Words): readonly string[] {
  return unmatched(words(), common).filter((word) => !repeats(word, path()));
}

function echoOf(url: string) {
  const sent = new URL(url).pathname.replace(/^\//, '');
  const whole = [sent, decoded(sent)].map((path) => path.toLowerCase());
  const last = whole.map((path) => path.replace(/^.*\//s, ''));
  const words = new Set(whole.flatMap((path) => path.split(/[^\p{L}\p{N}]+/u)));
  return { whole, names: [...last, ...last.map((name) => name.replace(/\.[^.]*$/, ''))], words };
}

function repeats(word: string, { whole, names, words }: Echo): boolean {
  const lower = word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (lower.length < SHORTEST_ECHO) return lower !== '' && words.has(lower);
  return (
    whole.some((path) => path.includes(lower)) ||
    names.some((name) => name.length > SHORTEST_ECHO && lower.includes(name))
  );
}

/** Blank where markup of a page keeps text that is not the page's own, so that a shell comment in `<pre>` is not a heading. */
const RAW = /<!--[^]*?-->|<(pre|script|style|textarea)\b[^]*?<\/\1\s*>/gi;
/** Headings, list items, code fences, links and reference definitions (CommonMark 0.31.2). */
const STRONG =
  /^ {0,3}(?:#{1,6}[ \t]+\S|(?:[-*+]|\d{1,9}[.)])[ \t]+\S|`{3}|~{3})|\]\([^\s)]|\]\]|^ {0,3}\[[^\]\n]{1,200}\]:/m;
/** Quotations, tables, underlined headings, emphasis and code spans; and paragraphs, which error messages do not have. */
const WEAK = /^ {0,3}(?:>|\||={2,}[ \t]*$|-{2,}[ \t]*$)|\*\*\S|`[^`\n]+`|\S[ \t]*\r?\n[ \t]*\r?\n[ \t]*\S/m;
/** Markdown shows itself early. In UTF-16 code units; the bound also keeps unclosed elements cheap. */
const BEGINNING = 8 * 1024;

/** Where a text begins with a tag, only a sign that HTML lacks counts. One line of plain text may be an error message. */
function looksLikeMarkdown(text: string): boolean {
  const beginning = text.slice(0, BEGINNING).replaceAll(RAW, ' ').trimStart();
  return STRONG.test(beginning) || (!/^<[a-z!/]/i.test(beginning) && WEAK.test(beginning));
}

const HTML_BEGINNING = 64 * 1024;

export function beginningOf(body: Uint8Array, most = HTML_BEGINNING): string {
  return Buffer.from(body.subarray(0, most)).toString('utf8');
}

export function isAbsent(answer: Answer, bundle: Answer): boolean {
  return isGone(answer) || (isThere(answer) && !hasOwnContent(answer, bundle));
}

/** Whether a file came, and neither the bundle nor another HTML document instead of it. */
export function hasOwnContent(answer: Answer, bundle: Answer): answer is Reply {
  if (!isOk(answer) || isFallback(answer, bundle)) return false;
  return isHtmlPath(answer.requestUrl) || !isHtmlDocument(beginningOf(answer.body));
}

export function isGone(answer: Answer): boolean {
  return answer.kind === 'reply' && answer.redirects.length === 0 && (answer.status === 404 || answer.status === 410);
}

export function isThere(answer: Answer): answer is Reply {
  return isOk(answer) && answer.redirects.length === 0;
}
