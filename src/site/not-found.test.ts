import { describe, expect, it } from 'vitest';
import { reply, noReply, shell, SHELL } from '../../test/answers.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import type { Answer, Reply } from '../core/answer.ts';
import type { NotFound } from './not-found.ts';
import { requestMissing } from './not-found.ts';
import { sharedSite } from './site.ts';

const ORIGIN = 'https://docs.example';

/** What a host says for a path below the origin. */
type Host = (path: string, times: number) => Answer;

interface Asked {
  readonly notFound: NotFound;
  readonly paths: readonly string[];
  readonly ask: (path: string) => Reply;
}

async function learnt(host: Host, { bundle = shell(), config = '{}', base = '/' } = {}): Promise<Asked> {
  const paths: string[] = [];
  let times = 0;
  const at = (url: URL): Answer => {
    const answer = host(url.pathname, ++times);
    return { ...answer, requestUrl: url.href, url: answer.redirects.length > 0 ? answer.url : url.href };
  };
  const pooled = async ({ url }: { url: URL }): Promise<Answer> => {
    paths.push(url.pathname);
    return at(url);
  };
  const get = async ({ url }: { url: URL }): Promise<Answer> =>
    url.pathname.endsWith('index.html')
      ? { ...bundle, requestUrl: url.href, url: url.href }
      : reply(config, { contentType: 'application/json' });
  const limits = { parseMs: 5000 };
  const site = sharedSite({ base: new URL(base, ORIGIN), get, pooled, requested: DEFAULT_REQUEST, limits });
  let count = 0;
  const notFound = await requestMissing(site, () => `${++count}f3a`);
  const ask = (path: string): Reply => {
    const answer = at(new URL(path, ORIGIN));
    if (answer.kind === 'no-reply') throw new Error('no reply');
    return answer;
  };
  return { notFound, paths, ask };
}

const html = (body: string, status = 200): Reply => reply(body, { status, contentType: 'text/html' });
const nonce = (times: number): string => SHELL.replaceAll(/(?=src=|href=)/g, `nonce="n${times}k" `);
const SPARE = '<!doctype html><title>Lost</title><h1>Nothing is here</h1><p>Try the start page.</p>';
const denied = (times: number): string =>
  `<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>${times}AB</RequestId></Error>`;
const home = (body: string): Reply =>
  reply(body, {
    url: `${ORIGIN}/start.html`,
    contentType: 'text/html',
    redirects: [{ url: ORIGIN, status: 302, location: '/start.html' }],
  });

/** Each host and what it sends for files that are missing there, evaluated as such. */
const HOSTS: readonly { name: string; host: Host }[] = [
  { name: 'a real 404', host: () => html(SPARE, 404) },
  { name: '410', host: () => reply('gone', { status: 410 }) },
  { name: '404 with the bundle', host: () => html(SHELL, 404) },
  { name: 'the bundle', host: () => html(SHELL) },
  { name: 'the bundle as Markdown', host: () => reply(SHELL) },
  { name: 'the bundle as bytes', host: () => reply(SHELL, { contentType: 'application/octet-stream' }) },
  { name: 'the bundle with status 203', host: () => html(SHELL, 203) },
  { name: 'the bundle with nonces', host: (_, times) => html(nonce(times)) },
  {
    name: 'the bundle with a line put in',
    host: () => html(SHELL.replace('</body>', '<script src="/b.js"></script></body>')),
  },
  { name: 'another page', host: () => html(SPARE) },
  { name: 'a page that repeats the path', host: (path) => html(`${SPARE}<p>${path}</p>`) },
  { name: 'a page with a time', host: (_, times) => html(`${SPARE}<p>12:00:${times}</p>`) },
  { name: 'a short text', host: () => reply('Not found', { contentType: 'text/plain' }) },
  { name: 'a short text with the path', host: (path) => reply(`404: ${path}`, { contentType: 'text/plain' }) },
  {
    name: 'JSON with a request id',
    host: (path, times) => reply(JSON.stringify({ error: 'not found', path, id: `i${times}` })),
  },
  { name: 'a refusal of an object store', host: (_, times) => reply(denied(times), { status: 403 }) },
  { name: 'a redirect to the start page', host: () => home(SPARE) },
  { name: 'a redirect to the bundle', host: () => home(SHELL) },
  { name: 'status 400 with a page', host: () => html(SPARE, 400) },
];

const GUIDE = '# Guide\n\nHigh water is at noon. Not found';

describe('isMissing', () => {
  it.each(HOSTS)('$name is missing, and a page is not', async ({ host }) => {
    const { notFound, ask } = await learnt(host);
    expect(notFound.isMissing(ask('/guide/tides.md'))).toBe(true);
    expect(notFound.isMissing(ask('/app.js'))).toBe(true);
    expect(notFound.isMissing(reply(GUIDE))).toBe(false);
    expect(notFound.isMissing(reply(`${GUIDE}\n\n\`\`\`html\n${SHELL}${SPARE}\n\`\`\`\n`))).toBe(false);
    expect(notFound.isMissing(reply(''))).toBe(false);
    expect(notFound.isMissing(reply('{}', { contentType: 'application/json' }))).toBe(false);
    expect(notFound.isMissing(html('<!doctype html><title>Report</title><p>Tides of 2026</p>'))).toBe(false);
    expect(notFound.isMissing({ ...html(SHELL), requestUrl: `${ORIGIN}/index.html` })).toBe(false);
  });

  it.each<{ name: string; host: Host; answer: Reply; is: boolean }>([
    { name: 'an empty file where missing ones are empty', host: () => reply(''), answer: reply(''), is: false },
    {
      name: 'a page where each name has content',
      host: (path) => reply(`# About ${path}\n`),
      answer: reply(GUIDE),
      is: false,
    },
    {
      name: 'a page where content is made at random',
      host: (_, times) => reply('alpha beta gamma delta'.replaceAll('a', String(times))),
      answer: reply(GUIDE),
      is: false,
    },
    { name: '403 where 404 is usual', host: () => html(SPARE, 404), answer: html(SPARE, 403), is: false },
    {
      name: '403 of another make',
      host: (_, times) => reply(denied(times), { status: 403 }),
      answer: html(SPARE, 403),
      is: false,
    },
    { name: '401 where all is refused', host: () => html(SPARE, 401), answer: html(SPARE, 401), is: false },
    { name: '429', host: () => html(SPARE, 429), answer: html(SPARE, 429), is: false },
    { name: '500', host: () => html(SPARE, 500), answer: html(SPARE, 500), is: false },
    { name: 'a page after overload', host: () => html(SPARE, 503), answer: html(SPARE), is: false },
    { name: 'the body of a 404 with status 200', host: () => html(SPARE, 404), answer: html(SPARE), is: true },
    { name: 'the bundle where 404 is usual', host: () => html(SPARE, 404), answer: html(SHELL), is: true },
    {
      name: 'a copy of the bundle where 404 is usual',
      host: () => html(SPARE, 404),
      answer: { ...html(SHELL), requestUrl: `${ORIGIN}/ro/index.html` },
      is: false,
    },
    {
      name: 'a copy of the bundle where it comes for all',
      host: () => html(SHELL),
      answer: { ...html(SHELL), requestUrl: `${ORIGIN}/ro/index.html` },
      is: true,
    },
    { name: 'a page where nothing answers', host: () => noReply('headers-timeout'), answer: reply(GUIDE), is: false },
    { name: '404 where nothing answers', host: () => noReply('reset'), answer: reply('', { status: 404 }), is: true },
    { name: 'the bundle where nothing answers', host: () => noReply('reset'), answer: html(SHELL), is: true },
    {
      name: 'the page for missing files by its own name',
      host: () => html(SPARE, 404),
      answer: { ...html(SPARE), requestUrl: `${ORIGIN}/404.html` },
      is: false,
    },
    {
      name: 'the page that redirects lead to by its own name',
      host: () => home(SPARE),
      answer: { ...html(SPARE), requestUrl: `${ORIGIN}/start.html` },
      is: false,
    },
    {
      name: 'the bundle by the folder',
      host: () => html(SHELL),
      answer: { ...html(SHELL), requestUrl: `${ORIGIN}/` },
      is: false,
    },
    {
      name: 'the bundle in another language',
      host: () => html(SHELL),
      answer: { ...html(SHELL.replace('lang="en"', 'lang="ro"')), requestUrl: `${ORIGIN}/ro/index.html` },
      is: false,
    },
    {
      name: 'a text of one word where missing ones have two',
      host: () => reply('Not found'),
      answer: reply('found', { url: `${ORIGIN}/not.txt` }),
      is: false,
    },
  ])('$name: $is', async ({ host, answer, is }) => {
    const { notFound } = await learnt(host);
    expect(notFound.isMissing(answer)).toBe(is);
  });

  it.each<{ name: string; bundle: Answer; is: boolean }>([
    { name: 'no bundle', bundle: noReply('refused'), is: false },
    { name: 'a bundle that is refused', bundle: html(SPARE, 403), is: false },
    { name: 'an empty bundle', bundle: html(''), is: false },
  ])('$name teaches nothing', async ({ bundle, is }) => {
    const { notFound } = await learnt((_, times) => reply(denied(times), { status: 403 }), { bundle });
    expect(notFound.isMissing(reply(denied(99), { status: 403 }))).toBe(
      bundle.kind === 'reply' && bundle.status === 200,
    );
    expect(notFound.isMissing(html(SHELL))).toBe(is);
  });
});

describe('askForMissing', () => {
  it('asks for two names of each kind, none like another, and one in a folder', async () => {
    const { paths } = await learnt(() => html(SPARE, 404));
    expect(new Set(paths).size).toBe(11);
    const extensions = Map.groupBy(paths, (path) => /(?:\.\w+)?$/.exec(path)?.[0] ?? '');
    const counts = Object.fromEntries([...extensions].map(([extension, { length }]) => [extension, length]));
    expect(counts).toEqual({ '': 2, '.js': 2, '.json': 2, '.md': 3, '.txt': 2 });
    expect(paths.filter((path) => path.lastIndexOf('/') > 0)).toHaveLength(1);
  });

  it.each([
    { name: 'that the home page is in', config: '{"homePage": "start/index.md"}', base: '/', folder: '/start/' },
    { name: 'that the navigation is in', config: '{"navigationFile": "/ro/nav.md"}', base: '/', folder: '/ro/' },
    { name: 'below the base', config: '{"homePage": "start/index.md"}', base: '/docs/', folder: '/docs/start/' },
    { name: 'and none beyond the base', config: '{"homePage": "../x/index.md"}', base: '/docs/', folder: '/docs/' },
  ])('asks in the folder $name', async ({ config, base, folder }) => {
    const { paths } = await learnt(() => html(SPARE, 404), { config, base });
    expect(paths.every((path) => path.startsWith(base))).toBe(true);
    expect(paths.some((path) => path.startsWith(folder) && path.lastIndexOf('/') >= folder.length - 1)).toBe(true);
  });
});
