import { describe, expect, it } from 'vitest';
import { hasHtmlMarkup, isHtmlDocument } from './html.ts';

const WHOLE = '<!doctype html>\n<html><head><title>x</title></head><body></body></html>';

describe('isHtmlDocument', () => {
  it.each([
    { name: 'a doctype', text: WHOLE, is: true },
    { name: 'a doctype in capitals', text: '<!DOCTYPE HTML>', is: true },
    { name: 'an old doctype', text: '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', is: true },
    { name: 'the root element', text: '<HTML lang="ro">', is: true },
    { name: 'a BOM and white space first', text: `\uFEFF \r\n\t${WHOLE}`, is: true },
    { name: 'comments first', text: `<!-- a -->\n<!-- <p> -->${WHOLE}`, is: true },
    { name: 'empty comments first', text: `<!--><!--->${WHOLE}`, is: true },
    {
      name: 'an XML prolog first',
      text: '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">',
      is: true,
    },
    { name: 'a head without a root', text: '<head><title>x</title></head>', is: true },
    { name: 'a body without a root', text: '<body class="x">', is: true },
    { name: 'a title first', text: '<title>404 Not Found</title>', is: true },
    { name: 'a meta first', text: '<meta charset="utf-8">', is: true },
    { name: 'a meta before Markdown', text: '<meta name="x" content="y">\n\n# Tides\n', is: false },
    { name: 'a title before Markdown', text: '<title>Tides</title>\n\nHigh water.\n', is: false },
    { name: 'a title before a body', text: '<title>Tides</title>\n<body>\nHigh water.\n', is: true },
    { name: 'nothing', text: '', is: false },
    { name: 'Markdown', text: '# Title\n\ntext', is: false },
    { name: 'Markdown that begins with a div', text: '<div align="center">\n\n# Title\n\n</div>', is: false },
    { name: 'Markdown that begins with a comment', text: '<!-- toc -->\n# Title', is: false },
    { name: 'Markdown that quotes a page', text: `# Title\n\n\`\`\`html\n${WHOLE}\n\`\`\``, is: false },
    { name: 'a fence that quotes a page at once', text: `\`\`\`html\n${WHOLE}\n\`\`\``, is: false },
    { name: 'a comment that quotes a page', text: `<!-- ${WHOLE} -->\n# Title`, is: false },
    { name: 'an open comment', text: `<!-- ${WHOLE}`, is: false },
    { name: 'another doctype', text: '<!DOCTYPE svg>', is: false },
    { name: 'names that only begin alike', text: '<header>x</header>', is: false },
    { name: 'a custom element', text: '<html-viewer></html-viewer>', is: false },
    { name: '10 MiB of open comments', text: '<!--'.repeat(2_500_000), is: false },
    { name: '10 MiB of empty comments', text: '<!---->'.repeat(1_500_000), is: false },
    { name: '10 MiB of white space', text: ' '.repeat(10_000_000), is: false },
  ])('$name: $is', ({ text, is }) => {
    expect(isHtmlDocument(text)).toBe(is);
  });
});

describe('hasHtmlMarkup', () => {
  it.each([
    { name: 'a whole page', text: WHOLE, has: true },
    { name: 'a page without doctype and root', text: '<script src="app.js"></script><div id="app"></div>', has: true },
    { name: 'text before the markup', text: 'loading\n<MAIN>', has: true },
    { name: 'a tag after a comment', text: '<!-- a --><p>x', has: true },
    { name: 'plain text', text: 'It works', has: false },
    { name: 'nothing', text: '', has: false },
    { name: 'JSON', text: '{"a": 1}', has: false },
    { name: 'JSON that carries markup', text: '{"a": "<div>x</div>"}', has: false },
    { name: 'Markdown with a line break', text: '# Title\n\na<br>b', has: false },
    { name: 'tags in comments only', text: '<!-- <div></div> -->\nx', has: false },
    { name: 'tags in an open comment', text: 'x <!-- <div></div>', has: false },
    { name: 'a storage error', text: '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', has: false },
    { name: 'a feed', text: '<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>', has: false },
    { name: 'a feed without prolog', text: '<feed><title>x</title><link/></feed>', has: false },
    { name: 'an SVG image', text: '<svg xmlns="http://www.w3.org/2000/svg"><title>x</title></svg>', has: false },
    { name: 'an XHTML page', text: '<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE html><html/>', has: true },
    { name: 'names that only begin alike', text: '<pre>x</pre><linker>', has: false },
    { name: '10 MiB of angle brackets', text: '<'.repeat(10_000_000), has: false },
    { name: '10 MiB of open comments', text: '<!--'.repeat(2_500_000), has: false },
  ])('$name: $has', ({ text, has }) => {
    expect(hasHtmlMarkup(text)).toBe(has);
  });
});
