const BADGE = /:badge\[([^\]]{1,200})\](?:\{type=[\w-]{1,100}\})?/g;

/** A text with VertiWiki's badges as readers see them: `Guide :badge[New]{type=success}` is `Guide New`. */
export function withPlainBadges(text: string): string {
  return text.includes(':badge[') ? text.replace(BADGE, '$1') : text;
}
