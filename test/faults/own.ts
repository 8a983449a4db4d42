/** Checks of the user's own, from docvitals.json: every code that they can give. */
import { setTimeout as sleep } from 'node:timers/promises';
import { INDEX_HTML } from '../site/engine.ts';
import { fail, row } from './fault.ts';
import type { Fault, Outcome } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';

/** One check of the user's own over the sample site, with one file changed. */
function own(
  name: string,
  path: string,
  expect: object,
  outcome: Outcome | null,
  reply: FileReply | null = null,
): Fault {
  const config = { checks: [{ id: 'mine', title: 'A check of my own', path, expect, fix: { en: 'Ask the author.' } }] };
  return row(
    `own: ${name}`,
    reply === null ? {} : { files: { [path]: reply } },
    outcome === null ? {} : { mine: outcome },
    { config },
  );
}

const TITLED = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };

export const ownChecks: readonly Fault[] = [
  own(
    'all well',
    'robots.txt',
    { status: 200, mediaType: 'text/plain', contains: 'User-agent', notContains: 'Disallow: /' },
    null,
  ),
  own('a page that should be Markdown', 'start/install.md', { markdown: true }, null),
  own('JSON with the right shape', 'config.json', { json: { schema: TITLED } }, null),
  own('a page that should be gone', 'drafts.md', { status: [404, 410] }, null),
  own('not there', 'security.txt', {}, fail('not-found')),
  own('another status', 'robots.txt', { status: 410 }, fail('status')),
  own('another media type', 'robots.txt', { mediaType: 'text/markdown' }, fail('media-type')),
  own('broken JSON', 'data.json', { json: true }, fail('json-syntax'), { body: '{"title": }' }),
  own('JSON of another shape', 'data.json', { json: { schema: TITLED } }, fail('json-schema'), {
    body: '{"title": 5}',
  }),
  own('a text that is missing', 'robots.txt', { contains: ['User-agent', 'Sitemap:'] }, fail('contains')),
  own('a text that should not be there', 'index.md', { notContains: 'gauge' }, fail('not-contains')),
  own('a header that is missing', 'robots.txt', { headers: { 'x-frame-options': 'DENY' } }, fail('header')),
  own('a header with another value', 'robots.txt', { headers: { 'x-frame-options': '/^deny$/i' } }, fail('header'), {
    headers: { 'x-frame-options': 'SAMEORIGIN' },
  }),
  own('slower than wanted', 'robots.txt', { maxDuration: '1ms' }, fail('too-slow'), {
    body: () => sleep(50, 'User-agent: *\n'),
  }),
  own('a redirect that should be there', 'old.md', { status: 301, headers: { location: '/index.md' } }, null, {
    status: 301,
    type: null,
    body: '',
    headers: { location: '/index.md' },
  }),
  own('a redirect to a dead end that should be there', 'old.md', { status: 302 }, null, {
    status: 302,
    type: null,
    body: '',
    headers: { location: 'http://127.0.0.1:1/' },
  }),
  own('a redirect to elsewhere', 'old.md', { status: 301, headers: { location: '/index.md' } }, fail('header'), {
    status: 301,
    type: null,
    body: '',
    headers: { location: '/start.md' },
  }),
  own('the bundle in its place', 'robots.txt', { contains: 'html' }, fail('spa-fallback'), {
    type: 'text/html',
    body: INDEX_HTML,
  }),
];
