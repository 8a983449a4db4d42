import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import { noReply, reply } from '../../test/answers.ts';
import { bundle } from './check.ts';

const FIXTURES = new URL('fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

async function rules(answer: Answer): Promise<string[]> {
  const findings = await bundle.evaluate({ answer }, { parseMs: 5000 });
  return findings.map(({ rule }) => rule);
}

const BODIES: readonly { file: string; expected: readonly string[] }[] = [
  { file: 'shell.html', expected: [] },
  { file: 'shell-crlf.html', expected: [] },
  { file: 'byte-order-mark.html', expected: [] },
  { file: 'comment-first.html', expected: [] },
  { file: 'capital-tags.html', expected: [] },
  { file: 'minified-without-doctype.html', expected: [] },
  { file: 'docsify.html', expected: [] },
  { file: 'mdwiki-one-file.html', expected: [] },
  { file: 'xhtml.html', expected: [] },
  { file: 'right-to-left.html', expected: [] },
  { file: 'cjk.html', expected: [] },
  { file: 'plain-text.html', expected: ['not-html'] },
  { file: 'json-error.html', expected: ['not-html'] },
  { file: 'markdown.html', expected: ['not-html'] },
  { file: 'storage-error.html', expected: ['not-html'] },
  { file: 'only-comment.html', expected: ['not-html'] },
  { file: 'git-lfs-pointer.html', expected: ['not-html'] },
  { file: 'latin-1.html', expected: ['not-utf8'] },
  { file: 'utf-16.html', expected: ['not-utf8'] },
  { file: 'nul-bytes.html', expected: ['binary'] },
  { file: 'white-space.html', expected: ['empty'] },
  { file: 'empty.html', expected: ['empty'] },
];

describe('bundle: bodies', () => {
  it.each(BODIES)('$file: $expected', async ({ file, expected }) => {
    expect(await rules(reply(fixture(file), { contentType: 'text/html' }))).toEqual(expected);
  });

  it('evaluates every fixture', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual(BODIES.map(({ file }) => file).toSorted());
  });
});

describe('bundle: media types', () => {
  it.each([
    { name: 'plain', contentType: 'text/html', expected: [] },
    { name: 'a charset', contentType: 'text/html; charset=utf-8', expected: [] },
    { name: 'other letter case', contentType: 'Text/HTML;Charset="UTF-8"', expected: [] },
    { name: 'an empty parameter', contentType: 'text/html;', expected: [] },
    { name: 'a parameter of another kind', contentType: 'text/html; profile=x; charset=utf-8', expected: [] },
    { name: 'the header twice', contentType: ['text/html', 'text/html; charset=utf-8'], expected: [] },
    { name: 'a longer name', contentType: 'text/html-x', expected: ['media-type'] },
    { name: 'XHTML', contentType: 'application/xhtml+xml', expected: ['media-type'] },
    { name: 'plain text', contentType: 'text/plain', expected: ['media-type'] },
    { name: 'bytes', contentType: 'application/octet-stream', expected: ['media-type'] },
    { name: 'a download', contentType: 'binary/octet-stream', expected: ['media-type'] },
    { name: 'none', contentType: null, expected: ['media-type'] },
    { name: 'an empty one', contentType: '', expected: ['media-type'] },
    { name: 'one that is none', contentType: 'html', expected: ['media-type'] },
    { name: 'two that differ: the last counts', contentType: ['text/html', 'text/plain'], expected: ['media-type'] },
  ])('$name: $expected', async ({ contentType, expected }) => {
    expect(await rules(reply(fixture('shell.html'), { contentType }))).toEqual(expected);
  });

  it('says of a file that is no HTML only that', async () => {
    expect(await rules(reply(fixture('plain-text.html'), { contentType: 'text/plain' }))).toEqual(['not-html']);
  });
});

describe('bundle: answers', () => {
  const ORIGIN = 'https://docs.example/';
  const cleanUrls = { url: 'https://docs.example/index.html', status: 308, location: '/' };

  it.each<{ name: string; answer: Answer; expected: string }>([
    {
      name: '404 with the bundle itself',
      answer: reply(fixture('shell.html'), { status: 404 }),
      expected: 'not-found',
    },
    { name: '403', answer: reply('', { status: 403 }), expected: 'forbidden' },
    { name: '500', answer: reply('', { status: 500 }), expected: 'server-error' },
    { name: '206', answer: reply(fixture('shell.html'), { status: 206 }), expected: 'status' },
    {
      name: 'clean URLs',
      answer: reply(fixture('shell.html'), { contentType: 'text/html', url: ORIGIN, redirects: [cleanUrls] }),
      expected: 'clean-url',
    },
    {
      name: 'to another page',
      answer: reply(fixture('shell.html'), { url: `${ORIGIN}app`, redirects: [cleanUrls] }),
      expected: 'redirected',
    },
    {
      name: 'clean URLs, and an error',
      answer: reply('', { url: ORIGIN, redirects: [cleanUrls], status: 500 }),
      expected: 'server-error,clean-url',
    },
    { name: 'nothing listens', answer: noReply('refused'), expected: 'refused' },
    { name: 'no network', answer: noReply('no-network'), expected: 'no-network' },
  ])('$name: $expected', async ({ answer, expected }) => {
    expect((await rules(answer)).join()).toBe(expected);
  });

  it('reports what came', async () => {
    const answer = reply('It works!\n', { contentType: 'Text/HTML; charset=utf-8' });
    expect(await bundle.evaluate({ answer }, { parseMs: 5000 })).toEqual([
      { rule: 'not-html', evidence: { status: 200, mediaType: 'text/html', bytes: 10, firstBytes: 'It works!␤' } },
    ]);
  });
});
