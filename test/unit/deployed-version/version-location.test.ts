import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../answers.ts';
import { html, json, text } from '../../runs.ts';
import { file, meta, NEW, OLD, run, sent, type Row } from '../../../checks/deployed-version/fixtures/run.ts';

describe('a place that was named', () => {
  const rows: readonly Row[] = [
    {
      name: 'a member',
      from: '/build.json#/git/sha',
      live: { '/build.json': json({ git: { sha: NEW } }) },
      codes: [],
      where: 'build.json#/git/sha',
    },
    {
      name: 'a member of a foreign name',
      from: 'build.json#/previous',
      live: { '/build.json': json({ previous: NEW }) },
      codes: [],
      where: 'build.json#/previous',
    },
    {
      name: 'a member, and another elsewhere',
      from: 'build.json#/sha',
      live: { '/build.json': json({ sha: OLD, commit: NEW }) },
      codes: ['old-version'],
      where: 'build.json#/sha',
    },
    {
      name: 'a member that is there twice',
      from: 'build.json#/sha',
      live: { '/build.json': text(`{"sha":"${OLD}","sha":"${NEW}"}`) },
      codes: [],
      where: 'build.json#/sha',
    },
    {
      name: 'a member that holds a number instead of a commit',
      from: 'build.json#/v',
      live: { '/build.json': json({ v: '1.4.0' }) },
      codes: ['old-version'],
      where: 'build.json#/v',
    },
    {
      name: 'a group of an expression',
      from: 'about.txt#rev: (\\w+)',
      live: { '/about.txt': text(`docs\nrev: ${NEW}\n`) },
      codes: [],
      where: 'about.txt#rev: (\\w+)',
    },
    {
      name: 'an expression without a group',
      from: 'about.txt#/[0-9a-f]{40}/',
      live: { '/about.txt': text(`rev ${OLD}`) },
      codes: ['old-version'],
      where: 'about.txt#[0-9a-f]{40}',
    },
    {
      name: 'a whole text',
      from: 'version.txt',
      live: { '/version.txt': text(`${NEW}\n`) },
      codes: [],
      where: 'version.txt',
    },
    {
      name: 'another whole text',
      from: 'version.txt',
      live: { '/version.txt': text(OLD) },
      codes: ['old-version'],
      where: 'version.txt',
    },
    {
      name: 'a whole JSON text',
      from: 'build.json',
      live: { '/build.json': json({ sha: NEW }) },
      codes: [],
      where: 'build.json#/sha',
    },
    {
      name: 'the configuration',
      from: 'config.json#/version',
      version: '1.5.0',
      live: { '/config.json': json({ version: '1.5.0' }) },
      codes: [],
      where: 'config.json#/version',
    },
    {
      name: 'the bundle',
      from: 'index.html#data-rev="(\\w+)"',
      live: { '/index.html': html(`<html data-rev="${NEW}">`) },
      codes: [],
      where: 'index.html#data-rev="(\\w+)"',
    },
    {
      name: 'the bundle as a whole',
      from: 'index.html',
      live: { '/index.html': meta('commit', NEW) },
      codes: [],
      where: 'index.html <meta name="commit">',
    },
    {
      name: 'another page',
      from: 'about.html#Rev (\\w+)',
      live: { '/about.html': html(`<html><p>Rev ${NEW}</p>`) },
      codes: [],
      where: 'about.html#Rev (\\w+)',
    },
    { name: 'no such file', from: 'build.json#/sha', codes: ['version-not-found'] },
    { name: 'the fallback', from: 'build.json#/sha', fallback: html(SHELL), codes: ['version-not-found'] },
    {
      name: 'the fallback, which the expression matches',
      from: 'about.html#<title>(.*)</title>',
      fallback: html(SHELL),
      codes: ['version-not-found'],
    },
    {
      name: 'no such member',
      from: 'build.json#/sha',
      live: { '/build.json': json({ commit: NEW }) },
      codes: ['version-not-found'],
    },
    {
      name: 'a member that is an object',
      from: 'build.json#/git',
      live: { '/build.json': json({ git: { sha: NEW } }) },
      codes: ['version-not-found'],
    },
    {
      name: 'a member that is empty',
      from: 'build.json#/sha',
      live: { '/build.json': json({ sha: '' }) },
      codes: ['version-not-found'],
    },
    {
      name: 'a member of the prototype',
      from: 'build.json#/constructor/name',
      live: { '/build.json': json({}) },
      codes: ['version-not-found'],
    },
    {
      name: 'no JSON',
      from: 'build.json#/sha',
      live: { '/build.json': text(`sha: ${NEW}`) },
      codes: ['version-not-found'],
    },
    {
      name: 'no match',
      from: 'about.txt#rev: (\\w+)',
      live: { '/about.txt': text('docs') },
      codes: ['version-not-found'],
    },
    {
      name: 'a match that never ends',
      from: 'about.txt#^(a+)+$',
      live: { '/about.txt': text(`${'a'.repeat(60)}!`) },
      codes: ['version-not-found'],
    },
    {
      name: 'no text',
      from: 'version.txt',
      live: { '/version.txt': reply(Buffer.from([0xff, 0x00])) },
      codes: ['version-not-found'],
    },
    { name: 'an empty text', from: 'version.txt', live: { '/version.txt': text('') }, codes: ['version-not-found'] },
    {
      name: 'nobody may read it',
      from: 'version.txt',
      live: { '/version.txt': reply('', { status: 403 }) },
      codes: ['version-not-found'],
    },
    {
      name: 'the host fails',
      from: 'version.txt',
      live: { '/version.txt': reply('', { status: 500 }) },
      codes: ['not-read'],
    },
    {
      name: 'nobody answers',
      from: 'version.txt',
      live: { '/version.txt': noReply('headers-timeout') },
      codes: ['not-read'],
    },
  ];

  it.each(rows)('$name', async ({ codes, where, ...given }) => {
    const reported = await run(given);
    expect({ codes: reported.rules, where: reported.where }).toEqual({ codes, where });
  });
});

describe('an optional version', () => {
  const rows: readonly Row[] = [
    { name: 'is live', live: file({ commit: NEW }), codes: [], where: 'version.json#/commit' },
    { name: 'is not live', live: file({ commit: OLD }), codes: ['old-version'], where: 'version.json#/commit' },
    { name: 'is told nowhere', codes: ['not-published'] },
    { name: 'is a number where a commit was expected', live: file({ version: '1.4.0' }), codes: ['not-published'] },
    {
      name: 'is the sum of a file',
      live: file({ hash: 'd41d8cd98f00b204e9800998ecf8427e' }),
      codes: ['not-published'],
    },
    {
      name: 'would stand in a file for which the host fails',
      live: { '/version.json': noReply('reset') },
      codes: ['not-published'],
    },
    { name: 'at a place that is not there', from: 'build.json#/sha', codes: ['not-published'] },
    {
      name: 'at a place that holds a number',
      from: 'build.json#/v',
      live: { '/build.json': json({ v: '1.4.0' }) },
      codes: ['not-published'],
    },
    {
      name: 'at a place that holds another',
      from: 'build.json#/v',
      live: { '/build.json': json({ v: OLD }) },
      codes: ['old-version'],
      where: 'build.json#/v',
    },
    {
      name: 'is told nowhere, and the bundle has changed',
      since: { etag: '"a"' },
      live: { '/index.html': sent({ ETag: '"b"' }) },
      codes: [],
    },
    {
      name: 'is told nowhere, and the bundle has not changed',
      since: { etag: '"a"' },
      live: { '/index.html': sent({ ETag: 'W/"a"' }) },
      codes: ['not-changed'],
    },
    {
      name: 'is another, though the bundle has changed',
      since: { etag: '"a"' },
      live: { '/index.html': sent({ ETag: '"b"' }), ...file({ commit: OLD }) },
      codes: ['old-version'],
      where: 'version.json#/commit',
    },
  ];

  it.each(rows)('$name', async ({ codes, where, ...given }) => {
    const reported = await run({ ...given, optional: true });
    expect({ codes: reported.rules, where: reported.where }).toEqual({ codes, where });
  });
});
