/** Recognises what a host sends in place of a file that is not there. Pure. */
import type { Answer, RawFinding, Severity, Reply } from '../check.ts';
import { isHtmlDocument } from '../parse/html.ts';
import { looksLikeMarkdown } from '../parse/markdown-signs.ts';
import { mediaTypeOf } from './media-type.ts';
import { replyEvidence } from './reply.ts';

export const FALLBACK_RULES = { 'spa-fallback': 'error', html: 'error' } as const satisfies Record<string, Severity>;

export type FallbackRule = keyof typeof FALLBACK_RULES;

/** Whether a reply carries the bundle's own bytes, whatever its media type says. */
export function isFallback(reply: Reply, bundle: Answer): boolean {
  if (bundle.kind !== 'reply' || bundle.status !== 200 || bundle.body.length === 0) return false;
  return Buffer.compare(reply.body, bundle.body) === 0;
}

/** Whether the bundle itself was asked for (`homePage: index.html`): then nothing came in place of anything. */
export function isBundleRequested(reply: Reply, bundle: Answer): boolean {
  const [asked, shell] = [reply, bundle].map(({ requestUrl }) => withoutQuery(requestUrl));
  return asked === shell || asked === shell?.replace(/[^/]*$/, '');
}

/** Origin and path of an absolute URL in its normal form. */
function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/**
 * The finding for a reply that is the SPA fallback or another HTML document instead of a text file, or `null`. The body
 * decides: Markdown that is served as `text/html` has the wrong media type and nothing else.
 */
export function htmlInstead(reply: Reply, text: string, bundle: Answer): RawFinding<FallbackRule> | null {
  if (isFallback(reply, bundle) && !isBundleRequested(reply, bundle)) {
    return { rule: 'spa-fallback', evidence: replyEvidence(reply) };
  }
  const isHtml = isHtmlDocument(text) || (mediaTypeOf(reply) === 'text/html' && !looksLikeMarkdown(text));
  return isHtml ? { rule: 'html', evidence: replyEvidence(reply) } : null;
}
