/** The feed as Atom (RFC 4287). */
import { element, textElement, type Xml } from '../../../report/xml.ts';
import { iso } from '../../iso-time.ts';
import type { HistoryData } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { absolute, entriesOf, urnOf, type Entry } from './entries.ts';

/** The document; ends with a newline. */
export function atomFeed(data: HistoryData, context: PageContext): string {
  const { words, language, url } = context;
  const entries = entriesOf(data, context);
  const name = data.title ?? words.status;
  const self = absolute(context.to({ kind: 'feed', format: 'atom' }), context);
  const page = absolute(context.to({ kind: 'overview' }), context);
  const sites = data.rows.map(({ site }) => site.id);
  const feed = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
    textElement('id', {}, urnOf(JSON.stringify(['feed', url, language, url === null ? sites : []]))),
    textElement('title', {}, name),
    // What changes it is an entry: a reader that asks again and again has the same bytes.
    textElement('updated', {}, iso(entries[0]?.at ?? 0)),
    element('author', {}, [textElement('name', {}, name)]),
    element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    element('link', { rel: 'alternate', type: 'text/html', href: page }),
    textElement('generator', { uri: 'https://www.npmjs.com/package/docvitals' }, 'docvitals'),
    ...entries.map(entryElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed('')}\n`;
}

function entryElement({ id, title, paragraphs, at, href }: Entry): Xml {
  return element('entry', {}, [
    textElement('id', {}, id),
    textElement('title', {}, title),
    textElement('updated', {}, iso(at)),
    element('link', { rel: 'alternate', type: 'text/html', href }),
    textElement('content', { type: 'text' }, paragraphs.join('\n\n')),
  ]);
}
