import { Parser } from 'htmlparser2';

/** Most `<meta>` elements of one page that are looked at. */
const MOST = 200;

/** The `<meta>` elements of an HTML page that have a name and content; none of those in comments, scripts or templates. */
export function metasOf(html: string): readonly { readonly name: string; readonly content: string }[] {
  const metas: { name: string; content: string }[] = [];
  let templates = 0;
  const parser = new Parser({
    onopentag(element, { name, content }) {
      if (element === 'template') templates++;
      if (element !== 'meta' || templates > 0 || metas.length >= MOST) return;
      if (name !== undefined && content !== undefined) metas.push({ name, content });
    },
    onclosetag(element) {
      if (element === 'template') templates--;
    },
  });
  parser.end(html);
  return metas;
}
