import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { html, text } from '../../test/runs.ts';
import { file, meta, NEW, OLD, run, sent, type Row } from './fixtures/run.ts';

describe('a version that is not live', () => {
  const rows: readonly Row[] = [
    { name: 'another commit', live: file({ commit: OLD }), codes: ['old-version'], where: 'version.json#/commit' },
    {
      name: 'another commit, the new one named as the next',
      live: file({ commit: OLD, next: NEW }),
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
    {
      name: 'the one before, told beside the live one',
      live: file({ commit: OLD, previousCommit: NEW }),
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
    {
      name: 'another commit in a <meta>',
      live: { '/index.html': meta('commit', OLD) },
      codes: ['old-version'],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'another commit in a header',
      live: { '/index.html': sent({ 'X-Commit': OLD.slice(0, 8) }) },
      codes: ['old-version'],
      where: 'index.html x-commit:',
    },
    {
      name: 'another number',
      version: '1.5.0',
      live: file({ version: '1.4.0', commit: NEW }),
      codes: ['old-version'],
      where: 'version.json#/version',
    },
    {
      name: 'another number, the new one that of the engine',
      version: '1.5.0',
      live: file({ version: '1.4.0', engine: '1.5.0' }),
      codes: ['old-version'],
      where: 'version.json#/version',
    },
    {
      name: 'another word',
      version: 'release-7',
      live: file({ release: 'release-6' }),
      codes: ['old-version'],
      where: 'version.json#/release',
    },
    {
      name: 'another commit in the file than in the bundle',
      live: { '/index.html': meta('commit', NEW), ...file({ commit: OLD }) },
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
    {
      name: 'another commit in the bundle than in the file',
      live: { '/index.html': meta('commit', OLD), ...file({ commit: NEW }) },
      codes: ['old-version'],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'another commit in the file than in a header',
      live: { '/index.html': sent({ 'X-Commit': NEW }), ...file({ commit: OLD }) },
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
    {
      name: 'another number in a header than in the file',
      version: '1.5.0',
      live: { '/index.html': sent({ 'X-Version': 'v1.4.0' }), ...file({ version: '1.5.0' }) },
      codes: ['old-version'],
      where: 'index.html x-version:',
    },
    {
      name: 'a release candidate',
      version: '2.4.0',
      live: file({ version: '2.4.0-rc.1' }),
      codes: ['old-version'],
      where: 'version.json#/version',
    },
    {
      name: 'another commit than one of digits only',
      version: '1234567',
      live: file({ commit: OLD }),
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
    { name: 'nothing told', codes: ['no-version'] },
    {
      name: 'a number instead of a commit',
      live: file({ version: '1.4.0', build_number: '7' }),
      codes: ['no-version'],
    },
    {
      name: 'a number of the server',
      version: '1.26.3',
      live: { '/index.html': sent({ Server: 'nginx/1.26.3' }) },
      codes: ['no-version'],
    },
    {
      name: 'a number of the engine',
      version: '4.13',
      live: { '/index.html': meta('generator', 'docsify 4.13') },
      codes: ['no-version'],
    },
    {
      name: 'hexadecimal names of assets',
      live: { '/index.html': meta('og:image', 'img/0a1b2c3d4e.png', 'property') },
      codes: ['no-version'],
    },
    {
      name: 'the name of a request',
      live: {
        '/index.html': sent({ 'X-GitHub-Request-Id': '8E4A:2F1D3C1:1A2B3C4D', 'X-Amz-Version-Id': '0a1b2c3d4' }),
      },
      codes: ['no-version'],
    },
    { name: 'the fallback', fallback: html(SHELL), codes: ['no-version'] },
    {
      name: 'the fallback as JSON',
      fallback: reply(SHELL, { contentType: 'application/json' }),
      codes: ['no-version'],
    },
    {
      name: 'a page of a login with a version',
      live: { '/version.json': html(`<html><meta name="commit" content="${OLD}">`) },
      codes: ['no-version'],
    },
    {
      name: 'a page that says not found with 200',
      live: { '/version.json': html(`<!doctype html><title>404</title>`) },
      codes: ['no-version'],
    },
    { name: 'JSON without texts', live: file({ a: [null, true, {}] }), codes: ['no-version'] },
    {
      name: 'broken JSON of several lines',
      live: { '/version.json': text(`{\n"commit": "${NEW}",\n}`) },
      codes: ['no-version'],
    },
    { name: 'no UTF-8', live: { '/version.json': reply(Buffer.from([0xff, 0xfe, 0x7b])) }, codes: ['no-version'] },
    { name: 'an endless nesting', live: { '/version.json': text('['.repeat(300_000)) }, codes: ['no-version'] },
    {
      name: 'a deep nesting',
      live: { '/version.json': text(`${'['.repeat(300_000)}"${NEW}"${']'.repeat(300_000)}`) },
      codes: ['no-version'],
    },
    { name: 'a file too large', live: file({ commit: NEW, more: 'x'.repeat(1 << 20) }), codes: ['no-version'] },
    {
      name: 'a bundle of many <meta>',
      live: {
        '/index.html': html(
          `<html>${'<meta name="a" content="b">'.repeat(50_000)}<meta name="commit" content="${NEW}">`,
        ),
      },
      codes: ['no-version'],
    },
    { name: 'a secret', live: { '/index.html': sent({ 'Set-Cookie': `version=${NEW}` }) }, codes: ['no-version'] },
    { name: 'the file is refused', live: { '/version.json': reply('', { status: 403 }) }, codes: ['no-version'] },
    { name: 'the host fails for the file', live: { '/version.json': reply('', { status: 503 }) }, codes: ['not-read'] },
    { name: 'the host is too busy', live: { '/version.json': reply('', { status: 429 }) }, codes: ['not-read'] },
    { name: 'nobody answers for the file', live: { '/version.json': noReply('reset') }, codes: ['not-read'] },
    {
      name: 'nobody answers for the file, the bundle tells an old one',
      live: { '/index.html': meta('commit', OLD), '/version.json': noReply('reset') },
      codes: ['old-version'],
      where: 'index.html <meta name="commit">',
    },
    { name: 'nobody answers', live: { '/index.html': noReply('refused') }, codes: ['no-answer'] },
    { name: 'the bundle is missing', live: { '/index.html': reply('', { status: 404 }) }, codes: ['no-answer'] },
  ];

  it.each(rows)('$name', async ({ codes, where, ...given }) => {
    const reported = await run(given);
    expect({ codes: reported.rules, where: reported.where }).toEqual({ codes, where });
  });

  it('is reported with what is live in its place', async () => {
    const { findings } = await run({ live: file({ version: '1.4.0', commit: OLD.slice(0, 10) }) });
    expect(findings).toEqual([
      { rule: 'old-version', evidence: { expected: NEW, found: OLD.slice(0, 10), where: 'version.json#/commit' } },
    ]);
  });

  it('is reported with where the new one is', async () => {
    const { findings } = await run({ live: { '/index.html': meta('commit', OLD), ...file({ commit: NEW }) } });
    expect(findings[0]?.evidence).toMatchObject({ found: OLD, expectedAt: 'version.json#/commit' });
  });

  it('is reported with what else is reported', async () => {
    const { findings } = await run({
      live: { ...file({ version: '1.4.0' }), '/index.html': meta('generator', 'docsify 4.13') },
    });
    expect(findings[0]?.evidence).toMatchObject({ told: ['1.4.0 (version.json#/version)'] });
  });
});

describe('a bundle that is to be another', () => {
  const etag = { etag: '"a"' };
  const modified = { modifiedMs: Date.parse('2026-03-01T12:00:00Z') };
  const rows: readonly Row[] = [
    { name: 'has another ETag', since: etag, live: { '/index.html': sent({ ETag: '"b"' }) }, codes: [] },
    { name: 'has the same ETag', since: etag, live: { '/index.html': sent({ ETag: '"a"' }) }, codes: ['not-changed'] },
    {
      name: 'was modified later',
      since: modified,
      live: { '/index.html': sent({ 'Last-Modified': 'Sun, 01 Mar 2026 12:00:09 GMT' }) },
      codes: [],
    },
    {
      name: 'was modified before',
      since: modified,
      live: { '/index.html': sent({ 'Last-Modified': 'Sun, 01 Mar 2026 11:00:00 GMT' }) },
      codes: ['not-changed'],
    },
    { name: 'has no validators', since: etag, codes: ['no-validators'] },
    {
      name: 'has only the other validator',
      since: modified,
      live: { '/index.html': sent({ ETag: '"b"' }) },
      codes: ['no-validators'],
    },
    { name: 'does not come', since: etag, live: { '/index.html': noReply('refused') }, codes: ['no-answer'] },
    {
      name: 'is an error page',
      since: etag,
      live: { '/index.html': reply('', { status: 500, headers: { ETag: '"b"' } }) },
      codes: ['no-answer'],
    },
    { name: 'was not told', since: null, codes: ['not-expected'] },
  ];

  it.each(rows)('$name', async ({ codes, ...given }) => {
    expect((await run({ ...given, version: null })).rules).toEqual(codes);
  });
});
