import { describe, expect, it } from 'vitest';
import type { Answer } from '../core/answer.ts';
import { noReply, reply, SHELL, shell } from '../../test/answers.ts';
import { htmlInstead, isFallback, alike, fingerprint, fits, learn, type Fingerprint } from './fallback.ts';

const OTHER = '<!DOCTYPE html><title>404</title>';
const cleanUrls = { url: 'https://docs.example/index.html', status: 308, location: '/' };

describe('isFallback', () => {
  it.each<{ name: string; body: string; bundle: Answer; is: boolean }>([
    { name: "the bundle's bytes", body: SHELL, bundle: shell(), is: true },
    { name: 'a bundle behind clean URLs', body: SHELL, bundle: reply(SHELL, { redirects: [cleanUrls] }), is: true },
    { name: 'a bundle of another type', body: SHELL, bundle: reply(SHELL, { contentType: null }), is: true },
    { name: 'one byte more', body: `${SHELL}\n`, bundle: shell(), is: false },
    { name: 'another page', body: OTHER, bundle: shell(), is: false },
    { name: 'a bundle that is not there', body: OTHER, bundle: reply(OTHER, { status: 404 }), is: false },
    { name: 'an empty bundle', body: '', bundle: reply(''), is: false },
    { name: 'no bundle', body: SHELL, bundle: noReply('reset'), is: false },
  ])('$name: $is', ({ body, bundle, is }) => {
    expect(isFallback(reply(body), bundle)).toBe(is);
  });
});

describe('htmlInPlace', () => {
  it.each([
    { name: 'the bundle as HTML', body: SHELL, contentType: 'text/html', is: 'spa-fallback' },
    { name: 'the bundle as Markdown', body: SHELL, contentType: 'text/markdown', is: 'spa-fallback' },
    { name: 'another page as HTML', body: OTHER, contentType: 'text/html', is: 'html' },
    { name: 'another page as bytes', body: OTHER, contentType: 'application/octet-stream', is: 'html' },
    { name: 'another page of no type', body: `<!-- x -->\n${OTHER}`, contentType: null, is: 'html' },
    { name: 'Markdown as HTML', body: '# Harbour', contentType: 'Text/HTML; charset=utf-8', is: null },
    { name: 'an HTML block, then Markdown, as HTML', body: '<p>x</p>\n\n- y', contentType: 'text/html', is: null },
    { name: 'prose as HTML', body: 'One.\n\nTwo.', contentType: 'text/html', is: null },
    { name: 'a message as HTML', body: 'Access denied', contentType: 'text/html', is: 'html' },
    { name: 'a fragment', body: '<h1>x</h1>\n\n<pre>\n# y\n</pre>', contentType: 'text/html', is: 'html' },
    { name: 'Markdown', body: '# Harbour', contentType: 'text/markdown', is: null },
    { name: 'Markdown that begins with HTML', body: '<div>\n\n# x\n\n</div>', contentType: 'text/plain', is: null },
    { name: 'a longer name than HTML', body: '# Harbour', contentType: 'text/html-x', is: null },
  ])('$name: $is', ({ body, contentType, is }) => {
    expect(htmlInstead(reply(body, { contentType }), body, shell())?.rule ?? null).toBe(is);
  });
});

const at = (path: string, body: string): Fingerprint => fingerprint(`https://docs.example/${path}`, Buffer.from(body));

interface Page {
  readonly nonce?: string;
  readonly mail?: string;
  readonly said?: string;
  readonly lang?: string;
}

const shellWith = ({ nonce = 'none', mail = '', said = '', lang = 'en' }: Page = {}): string => `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>Harbour handbook</title>
<link rel="stylesheet" href="assets/app.css" nonce="${nonce}">
<script nonce="${nonce}">window.settings = { theme: 'dark', ray: '${nonce}x' };</script></head>
<body><div id="app">${said}<a href="/cdn-cgi/l/email-protection#${mail}">[email protected]</a></div>
<script type="module" src="assets/app.js" nonce="${nonce}"></script></body></html>`;

const spare = `<!doctype html><html><head><title>Not found</title></head>
<body><h1>Nothing here</h1><p>Perhaps the address was mistyped. Go back to the start page.</p></body></html>`;

interface Row {
  readonly name: string;
  readonly samples: readonly Fingerprint[];
  readonly body: Fingerprint;
}

const SHELLS = [
  at('docvitals-1a.md', shellWith({ nonce: 'k3J/+8a==' })),
  at('docvitals-2b.md', shellWith({ nonce: 'Zp01xQ==' })),
];
const TEXTS = [at('docvitals-1a.txt', 'Not found\n'), at('docvitals-2b.txt', 'Not found\n')];
const json = (path: string, id: string): string =>
  JSON.stringify({ error: 'not_found', message: `No file at /${path}`, requestId: id, time: '2026-03-01T12:00:00Z' });
const JSONS = ['docvitals-1a.json', 'docvitals-2b.json'].map((path, id) => at(path, json(path, `r-${id}`)));

describe('fits', () => {
  it.each<Row>([
    { name: 'the same page', samples: [at('a.md', spare)], body: at('b.md', spare) },
    { name: 'another nonce', samples: SHELLS, body: at('guide.md', shellWith({ nonce: 'q+/7hW==' })) },
    {
      name: 'another obfuscated address',
      samples: [at('x1.md', shellWith({ mail: '4a3b2c' })), at('x2.md', shellWith({ mail: '99aa01' }))],
      body: at('guide.md', shellWith({ mail: '0f1e2d' })),
    },
    {
      name: 'the path repeated',
      samples: [at('x1.md', `${spare}<p>/x1.md</p>`), at('x2.md', `${spare}<p>/x2.md</p>`)],
      body: at('guide/deep.md', `${spare}<p>/guide/deep.md</p>`),
    },
    {
      name: 'a path with spaces and diacritics repeated',
      samples: [at('x1.md', 'No page called x1.md here'), at('x2.md', 'No page called x2.md here')],
      body: at('ghid/pagina%20a%20doua%20%C8%99i.md', 'No page called ghid/pagina a doua și.md here'),
    },
    {
      name: 'the path repeated as a URL',
      samples: [
        at('x1.md', 'Cannot GET https://docs.example/x1.md'),
        at('x2.md', 'Cannot GET https://docs.example/x2.md'),
      ],
      body: at('guide.md', 'Cannot GET https://docs.example/guide.md'),
    },
    { name: 'a short text', samples: TEXTS, body: at('guide.txt', 'Not found\n') },
    { name: 'JSON with a request id', samples: JSONS, body: at('lib/a.json', json('lib/a.json', 'r-7')) },
    {
      name: 'JSON with a later time',
      samples: JSONS,
      body: at('lib/a.json', json('lib/a.json', 'r-7').replace('12:00:00', '12:01:09')),
    },
    {
      name: 'a page with a later time',
      samples: [at('x1.md', `${spare}<p>12:00</p>`), at('x2.md', `${spare}<p>12:00</p>`)],
      body: at('guide.md', `${spare}<p>12:01</p>`),
    },
    {
      name: 'a Markdown page for missing files',
      samples: [
        at('x1.md', '# Page not found\n\nNothing is at x1.md.'),
        at('x2.md', '# Page not found\n\nNothing is at x2.md.'),
      ],
      body: at('guide.md', '# Page not found\n\nNothing is at guide.md.'),
    },
    {
      name: 'a long bundle with a nonce',
      samples: ['n1', 'n2'].map((nonce) => at(`${nonce}.md`, `${shellWith({ nonce })}${'<p>word</p>'.repeat(20_000)}`)),
      body: at('guide.md', `${shellWith({ nonce: 'another' })}${'<p>word</p>'.repeat(20_000)}`),
    },
  ])('$name', ({ samples, body }) => {
    const template = learn(samples);
    expect(template !== null && fits(template, body)).toBe(true);
  });

  it.each<Row>([
    { name: 'a Markdown page', samples: SHELLS, body: at('guide.md', '# Guide\n\nHigh water.') },
    {
      name: 'a Markdown page that quotes it',
      samples: SHELLS,
      body: at('guide.md', `# 404\n\n\`\`\`html\n${shellWith()}\n\`\`\`\n`),
    },
    { name: 'the bundle in another language', samples: SHELLS, body: at('ro/index.html', shellWith({ lang: 'ro' })) },
    { name: 'another page', samples: [at('x1.md', spare)], body: at('guide.html', shellWith()) },
    {
      name: 'a page in the same frame',
      samples: SHELLS,
      body: at('guide.html', shellWith({ said: '<p>High water is at noon, low water at six. Mind the tides.</p>' })),
    },
    {
      name: 'a page that says that something was not found',
      samples: TEXTS,
      body: at('guide.md', '# Lost things\n\nNot found\n'),
    },
    { name: 'a page with half of its words', samples: TEXTS, body: at('guide.md', 'found') },
    { name: 'an empty body', samples: TEXTS, body: at('guide.md', '') },
    {
      name: 'JSON with another message',
      samples: JSONS,
      body: at('a.json', '{"error":"none","message":"fine","requestId":"r-1","time":"2026-03-01T12:00:00Z"}'),
    },
    {
      name: 'a Markdown page much like that for missing files',
      samples: [
        at('x1.md', '# Page not found\n\nNothing is at x1.md.'),
        at('x2.md', '# Page not found\n\nNothing is at x2.md.'),
      ],
      body: at('404-pages.md', '# Page not found\n\nWhat the reader sees when nothing is at an address.'),
    },
    {
      name: 'a page whose words are all in its path',
      samples: TEXTS,
      body: at('guide.md', '# Guide\n'),
    },
  ])('not $name', ({ samples, body }) => {
    const template = learn(samples);
    expect(template !== null && fits(template, body)).toBe(false);
  });
});

describe('learn', () => {
  it.each<{ name: string; samples: readonly Fingerprint[] }>([
    { name: 'no body', samples: [] },
    { name: 'empty bodies', samples: [at('x1.md', ''), at('x2.md', '')] },
    { name: 'a page and a text', samples: [at('x1.md', spare), at('x2.md', 'Not found')] },
    { name: 'texts that have nothing in common', samples: [at('x1.md', 'alpha beta'), at('x2.md', 'gamma delta')] },
    { name: 'bodies that only repeat the path', samples: [at('x1.md', '/x1.md'), at('x2.md', '/x2.md')] },
    {
      name: 'pages of words made again in one frame',
      samples: ['alpha beta gamma delta '.repeat(8), 'one two three four '.repeat(8)].map((said, n) =>
        at(`x${n}.md`, shellWith({ said })),
      ),
    },
  ])('nothing from $name', ({ samples }) => {
    expect(learn(samples)).toBeNull();
  });
});

describe('alike', () => {
  it.each([
    { name: 'the bundle and itself', a: shellWith(), b: shellWith(), is: true },
    { name: 'the bundle with a nonce', a: shellWith({ nonce: 'abc' }), b: shellWith({ nonce: 'xyz' }), is: true },
    {
      name: 'the bundle with a script put in',
      a: shellWith(),
      b: shellWith().replace('</body>', '<script src="/beacon.js"></script></body>'),
      is: true,
    },
    { name: 'the bundle and another page', a: shellWith(), b: spare, is: false },
    { name: 'two empty bodies', a: '', b: '', is: false },
    { name: 'a page and the same in a fence', a: spare, b: `\`\`\`\n${spare}\n\`\`\``, is: false },
  ])('$name: $is', ({ a, b, is }) => {
    expect(alike(at('x.md', a), at('index.html', b))).toBe(is);
  });
});

describe('fingerprint', () => {
  it.each([
    { name: 'marks', body: '<'.repeat(10_000_000) },
    { name: 'one word', body: 'a'.repeat(10_000_000) },
    { name: 'white space', body: ' '.repeat(10_000_000) },
    { name: 'an HTML page', body: `<!doctype html>${'a <b> '.repeat(1_000_000)}` },
    { name: 'punctuation', body: '.!'.repeat(5_000_000) },
  ])('10 MB of $name take no time and fit themselves or nothing', ({ body }) => {
    const template = learn([at('x1.md', body), at('x2.md', body)]);
    expect(template === null || fits(template, at('x3.md', body))).toBe(true);
  });

  it('reads a URL that does not decode', () => {
    expect(alike(at('%E0%A4%A', spare), at('%', spare))).toBe(true);
  });
});
