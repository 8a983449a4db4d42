import { describe, expect, it } from 'vitest';
import { reply, SHELL } from '../../answers.ts';
import { fake, html, json, ORIGIN, SITE, text } from '../../runs.ts';
import { DEFAULT_REQUEST } from '../../../src/core/run.ts';
import { sharedSite } from '../../../src/site/site.ts';
import { deployedVersion as check } from '../../../checks/deployed-version/check.ts';
import {
  file,
  meta,
  NEW,
  OLD,
  run,
  sent,
  type Given,
  type Row,
} from '../../../checks/deployed-version/fixtures/run.ts';

describe('a version that is live', () => {
  const rows: readonly Row[] = [
    { name: 'in version.json', live: file({ commit: NEW }), codes: [], where: 'version.json#/commit' },
    {
      name: 'under another name that is as good',
      alternatives: ['1'.repeat(40), OLD],
      live: file({ commit: OLD }),
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'under two names that are as good',
      alternatives: [OLD],
      live: { ...file({ commit: NEW }), '/index.html': meta('commit', OLD) },
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'under another name that is as good, at the place that was named',
      alternatives: [OLD],
      from: 'build.txt',
      live: { '/build.txt': text(OLD.slice(0, 8)) },
      codes: [],
      where: 'build.txt',
    },
    { name: 'under any key', live: file({ name: 'docs', x: NEW }), codes: [], where: 'version.json#/x' },
    {
      name: 'beside a number',
      live: file({ version: '1.4.0', commit: NEW }),
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'nested',
      live: file({ git: { commit: { id: NEW.slice(0, 7) } } }),
      codes: [],
      where: 'version.json#/git/commit/id',
    },
    { name: 'in a list', live: file([{ sha: NEW }]), codes: [], where: 'version.json#/0/sha' },
    { name: 'as the whole JSON text', live: file(NEW), codes: [], where: 'version.json' },
    { name: 'as a line', live: { '/version.json': text(`${NEW}\n`) }, codes: [], where: 'version.json' },
    {
      name: 'with a byte-order mark',
      live: { '/version.json': text(`\uFEFF{"commit":"${NEW}"}`) },
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'as octet-stream',
      live: { '/version.json': reply(`{"commit":"${NEW}"}`, { contentType: null }) },
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'in a <meta>',
      live: { '/index.html': meta('commit', NEW) },
      codes: [],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'in a <meta> with a property',
      live: { '/index.html': meta('build:sha', NEW, 'property') },
      codes: [],
      where: 'index.html <meta property="build:sha">',
    },
    {
      name: 'in a header',
      live: { '/index.html': sent({ 'X-Commit-SHA': NEW }) },
      codes: [],
      where: 'index.html x-commit-sha:',
    },
    {
      name: 'in a header of any name',
      live: { '/index.html': sent({ ETag: `"${NEW}"` }) },
      codes: [],
      where: 'index.html etag:',
    },
    {
      name: 'in the file, and the bundle of another scheme',
      version: '42',
      live: { '/index.html': meta('version', '1.4.0'), ...file({ build: '42' }) },
      codes: [],
      where: 'version.json#/build',
    },
    {
      name: 'in the file, beside the number of a build, an asset and a generator in the bundle',
      live: {
        '/index.html': reply(
          SHELL.replace(
            '<title>',
            `<meta name="generator" content="docsify 4"><meta name="build-id" content="${OLD}"><title>`,
          ),
          { contentType: 'text/html', headers: { 'X-Deployment-Id': OLD, 'X-Vercel-Id': OLD, ETag: `"${OLD}"` } },
        ),
        ...file({ commit: NEW, build: OLD }),
      },
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'in the bundle, and an old file, where it need not be told',
      optional: true,
      live: { '/index.html': meta('commit', NEW), ...file({ commit: OLD }) },
      codes: [],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'in the file, and an old bundle, where it need not be told',
      optional: true,
      live: { '/index.html': meta('commit', OLD), ...file({ commit: NEW }) },
      codes: [],
      where: 'version.json#/commit',
    },
    {
      name: 'with the name of its build',
      version: '2.4.0',
      live: file({ version: '2.4.0+9b1c77a' }),
      codes: [],
      where: 'version.json#/version',
    },
    {
      name: 'as a number',
      version: '1.5.0',
      live: file({ version: 'v1.5.0' }),
      codes: [],
      where: 'version.json#/version',
    },
    {
      name: 'as a number of JSON',
      version: '42',
      live: { '/version.json': text('{"version":"1.5.0","build":42}') },
      codes: [],
      where: 'version.json#/build',
    },
    {
      name: 'as a number that loses digits',
      version: '1.10',
      live: { '/version.json': text('{"version":1.10}') },
      codes: [],
      where: 'version.json#/version',
    },
    {
      name: 'as a number under any key',
      version: '1.5.0',
      live: file({ handbook: '1.5.0' }),
      codes: [],
      where: 'version.json#/handbook',
    },
    {
      name: 'as a word in a <meta>',
      version: 'release-7',
      live: { '/index.html': meta('version', 'release-7') },
      codes: [],
      where: 'index.html <meta name="version">',
    },
    {
      name: 'in a bundle that is not UTF-8',
      live: {
        '/index.html': html(
          Buffer.from(
            `<html><meta name="commit" content="${NEW}"><title>caf\u00e9</title>`,
            'latin1',
          ) as unknown as string,
        ),
      },
      codes: [],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'in broken JSON of one line',
      live: { '/version.json': text(`{"commit": "${NEW}",}\n\n`) },
      codes: [],
      where: 'version.json',
    },
  ];

  it.each(rows)('$name', async ({ codes, where, ...given }) => {
    const reported = await run(given);
    expect({ codes: reported.rules, where: reported.where }).toEqual({ codes, where });
  });
});

describe('requests', () => {
  it.each([
    [
      'the file, and the bundle that may contradict it',
      { live: file({ commit: NEW }) },
      ['/version.json', '/index.html'],
    ],
    ['the file alone, where it tells an old one', { live: file({ commit: OLD }) }, ['/version.json']],
    ['the place alone', { from: 'build.json#/sha', live: { '/build.json': json({ sha: NEW }) } }, ['/build.json']],
    ['the place alone, where it is missing', { from: 'build.json#/sha' }, ['/build.json']],
    ['the bundle alone, for its validators', { version: null, since: { etag: 'a' } }, ['/index.html']],
  ] satisfies readonly (readonly [string, Given, readonly string[]])[])('%s', async (_, given, asked) => {
    expect((await run(given)).asked).toEqual(asked);
  });

  it('none, where nothing is expected', async () => {
    const { get, asked } = fake(SITE);
    const site = sharedSite({
      base: new URL(`${ORIGIN}/`),
      get,
      pooled: get,
      requested: DEFAULT_REQUEST,
      limits: { parseMs: 5000 },
    });
    const findings = await check.evaluate(await check.gather(site), { parseMs: 5000 });
    expect([asked, findings.map(({ rule }) => rule)]).toEqual([[], ['not-expected']]);
  });
});
