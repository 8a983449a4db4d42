import { readElements } from './html-elements.ts';

/** Most `<meta>` elements of one page that are looked at. */
const MOST = 200;

/**
 * The `<meta>` elements of the head of an HTML page that have a name and content; none of those in comments, scripts or
 * templates.
 */
export function metasOf(html: string): readonly { readonly name: string; readonly content: string }[] {
  const metas: { name: string; content: string }[] = [];
  let templates = 0;
  readElements(html, {
    open(element, { name, content }) {
      if (element === 'template') templates++;
      if (element === 'body' && templates === 0) return false;
      if (element !== 'meta' || templates > 0) return true;
      if (name !== undefined && content !== undefined) metas.push({ name, content });
      return metas.length < MOST;
    },
    close(element) {
      if (element === 'template') templates--;
      return element !== 'head' || templates > 0;
    },
  });
  return metas;
}
