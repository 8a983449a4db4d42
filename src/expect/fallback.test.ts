import { describe, expect, it } from 'vitest';
import type { Answer } from '../check.ts';
import { noReply, reply, SHELL, shell } from '../../test/answers.ts';
import { htmlInstead, isFallback } from './fallback.ts';

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
