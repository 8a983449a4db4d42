import { describe, expect, it } from 'vitest';
import { reply } from '../../../test/answers.ts';
import type { Answer } from '../../check.ts';
import { BundleVersion } from './bundle-version.ts';

const BASE = new URL('https://docs.example/docs/');

const bundle = (body: string, rest: { readonly status?: number; readonly requestUrl?: string } = {}): Answer => ({
  ...reply(body, { status: rest.status ?? 200 }),
  requestUrl: rest.requestUrl ?? new URL('index.html', BASE).href,
});

/** The version after each of these answers, told apart by small numbers; `null`: none is known. */
function versions(answers: readonly Answer[]): (number | null)[] {
  const version = new BundleVersion(BASE);
  const seen: string[] = [];
  return answers.map((answer) => {
    version.heard(answer);
    if (version.version === null) return null;
    if (!seen.includes(version.version)) seen.push(version.version);
    return seen.indexOf(version.version);
  });
}

describe('the version of a bundle', () => {
  it.each<[string, readonly Answer[], (number | null)[]]>([
    ['is known once it was seen twice', [bundle('a'), bundle('a')], [null, 0]],
    ['is another one once that was seen twice', ['a', 'a', 'b', 'b'].map((body) => bundle(body)), [null, 0, 0, 1]],
    [
      'goes back with the old bundle',
      ['a', 'a', 'b', 'b', 'a', 'a'].map((body) => bundle(body)),
      [null, 0, 0, 1, 1, 0],
    ],
    [
      'is not known of a page that is made anew each time',
      ['a', 'b', 'c'].map((body) => bundle(body)),
      [null, null, null],
    ],
    [
      'is not that of an error page',
      [bundle('a'), bundle('a'), bundle('b', { status: 503 }), bundle('b', { status: 503 })],
      [null, 0, 0, 0],
    ],
    [
      'is not that of another file',
      [
        bundle('a', { requestUrl: 'https://docs.example/index.html' }),
        bundle('a', { requestUrl: 'https://docs.example/index.html' }),
      ],
      [null, null],
    ],
  ])('%s', (_, answers, expected) => {
    expect(versions(answers)).toEqual(expected);
  });
});
