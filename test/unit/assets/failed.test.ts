import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/core/answer.ts';
import { noReply, reply } from '../../answers.ts';
import {
  LOST,
  html,
  page,
  run,
  rules,
  module,
  classic,
  style,
  cdn,
  sha,
} from '../../../checks/assets/fixtures/site.ts';

describe('assets: failures on the way', () => {
  it.each<{ name: string; head: string; path: string; file: Answer; expected: readonly string[] }>([
    {
      name: 'a script that is forbidden',
      head: classic,
      path: 'assets/app.js',
      file: html(LOST, 403),
      expected: ['script-missing'],
    },
    {
      name: 'a style that is forbidden',
      head: style,
      path: 'assets/app.css',
      file: html(LOST, 403),
      expected: ['asset-failed'],
    },
    {
      name: 'an image that never ends',
      head: '<img src="a.png">',
      path: 'a.png',
      file: noReply('body-timeout'),
      expected: ['asset-failed'],
    },
    {
      name: 'a film that takes long',
      head: '<video src="a.mp4"></video>',
      path: 'a.mp4',
      file: noReply('body-timeout'),
      expected: [],
    },
    {
      name: 'a film that never comes',
      head: '<video src="a.mp4"></video>',
      path: 'a.mp4',
      file: noReply('headers-timeout'),
      expected: ['asset-failed'],
    },
    {
      name: 'a film that is large',
      head: '<video src="a.mp4"></video>',
      path: 'a.mp4',
      file: noReply('too-large'),
      expected: [],
    },
    {
      name: 'a large script with an integrity',
      head: `<script type=module src="assets/app.js" integrity="${sha('x')}"></script>`,
      path: 'assets/app.js',
      file: noReply('too-large'),
      expected: [],
    },
    { name: 'a large style', head: style, path: 'assets/app.css', file: noReply('too-large'), expected: [] },
    {
      name: 'a script whose compressed copy is broken',
      head: module,
      path: 'assets/app.js',
      file: noReply('truncated', { error: 'Z_BUF_ERROR' }),
      expected: ['script-failed'],
    },
    {
      name: 'a script under a wrong encoding',
      head: classic,
      path: 'assets/app.js',
      file: noReply('bad-encoding'),
      expected: ['script-failed'],
    },
    {
      name: 'a script that never comes',
      head: classic,
      path: 'assets/app.js',
      file: noReply('headers-timeout'),
      expected: ['script-failed'],
    },
    {
      name: 'a script beside whose compressed copy is broken',
      head: `<script type=module>start()</script><script src="analytics.js"></script><script type=module src="a.js"></script>`,
      path: 'analytics.js',
      file: noReply('truncated'),
      expected: ['script-missing', 'asset-failed'],
    },
    {
      name: 'an icon that fails',
      head: '<link rel=icon href="a.png">',
      path: 'a.png',
      file: html(LOST, 500),
      expected: ['icon-missing'],
    },
    {
      name: 'a CDN that is down',
      head: `<script src="${cdn}"></script>`,
      path: cdn,
      file: noReply('refused'),
      expected: ['script-unchecked'],
    },
    {
      name: 'a CDN that refuses us',
      head: `<script src="${cdn}"></script>`,
      path: cdn,
      file: html(LOST, 403),
      expected: ['script-unchecked'],
    },
    {
      name: 'the address of a developer',
      head: '<script src="http://localhost:3000/a.js"></script>',
      path: 'http://localhost:3000/a.js',
      file: noReply('blocked-address'),
      expected: ['local-address'],
    },
    {
      name: 'too many requests',
      head: classic,
      path: 'assets/app.js',
      file: html(LOST, 429),
      expected: ['rate-limited'],
    },
    {
      name: 'the end of the run',
      head: classic,
      path: 'assets/app.js',
      file: noReply('headers-timeout', { deadlineMs: 1 }),
      expected: ['interrupted'],
    },
    {
      name: 'no network here',
      head: classic,
      path: 'assets/app.js',
      file: noReply('no-network'),
      expected: ['no-network'],
    },
  ])('$name: $expected', async ({ head, path, file, expected }) => {
    expect(await rules(page(head), { [path]: file })).toEqual(expected);
  });

  it.each<{ name: string; fallback: Answer; rule: string }>([
    { name: 'the run was ended', fallback: noReply('interrupted'), rule: 'interrupted' },
    { name: 'its time was up', fallback: noReply('body-timeout', { deadlineMs: 5 }), rule: 'interrupted' },
    { name: 'it asked too much', fallback: html(LOST, 429), rule: 'rate-limited' },
  ])('reports once that $name, and how much was not seen', async ({ fallback, rule }) => {
    expect((await run(page(`${module}${style}<img src="a.png">`), {}, { fallback })).findings).toMatchObject([
      { rule, evidence: { files: 3 }, locations: [{}, {}, {}] },
    ]);
  });

  it.each<{ name: string; bundle: Answer }>([
    { name: 'no bundle', bundle: noReply('refused') },
    { name: 'a missing bundle', bundle: html(LOST, 404) },
    { name: 'a bundle that is no page', bundle: reply('It works', { contentType: 'text/html' }) },
    { name: 'an empty bundle', bundle: html('') },
  ])('skips where there is $name', async ({ bundle }) => {
    const { findings, asked } = await run(bundle);
    expect(findings.map(({ rule }) => rule)).toEqual(['no-answer']);
    expect(asked).toEqual([]);
  });
});
