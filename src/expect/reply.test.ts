import { describe, expect, it } from 'vitest';
import type { Answer, Redirect } from '../core/answer.ts';
import { REASONS, type Reason } from '../http/reasons.ts';
import { noReply, reply } from '../../test/answers.ts';
import { REPLY_RULES, replyEvidence, usable, mediaTypeOf } from './reply.ts';
import { MIMEType } from 'whatwg-mimetype';
import { random } from '../../test/generator/random.ts';

function rule(answer: Answer, expected?: readonly number[]): string | null {
  const evaluated = usable(answer, expected);
  return 'finding' in evaluated ? evaluated.finding.rule : null;
}

describe('usable: statuses', () => {
  it.each([
    [200, null],
    [201, 'status'],
    [203, 'status'],
    [204, 'status'],
    [206, 'status'],
    [300, 'status'],
    [304, 'status'],
    [400, 'status'],
    [401, 'forbidden'],
    [402, 'status'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [405, 'status'],
    [406, 'status'],
    [407, 'status'],
    [408, 'status'],
    [410, 'not-found'],
    [418, 'status'],
    [429, 'rate-limited'],
    [451, 'status'],
    [499, 'status'],
    [500, 'server-error'],
    [502, 'server-error'],
    [503, 'server-error'],
    [504, 'server-error'],
    [526, 'server-error'],
    [599, 'server-error'],
    [600, 'status'],
    [999, 'status'],
  ])('%i: %s', (status, expected) => {
    expect(rule(reply('x', { status }))).toBe(expected);
  });

  it('hands a good reply on as it is', () => {
    const answer = reply('x');
    expect(usable(answer)).toEqual({ reply: answer });
  });

  it.each([
    { status: 404, expected: [404], is: null },
    { status: 410, expected: [404, 410], is: null },
    { status: 200, expected: [404], is: 'status' },
    { status: 204, expected: [200, 204], is: null },
  ])('$status where $expected is expected: $is', ({ status, expected, is }) => {
    expect(rule(reply('x', { status }), expected)).toBe(is);
  });
});

describe('usable: redirects', () => {
  const hops: readonly Redirect[] = [
    { url: 'https://docs.example/index.html', status: 308, location: '/home' },
    { url: 'https://docs.example/home', status: 302, location: 'https://sign-in.example/?to=home' },
  ];

  it('reports the first hop, and where the last led', () => {
    const answer = reply('x', { url: 'https://sign-in.example/?to=home', redirects: hops, contentType: 'text/html' });
    expect(usable(answer)).toEqual({
      finding: {
        rule: 'redirected',
        evidence: {
          status: 308,
          location: '/home',
          hops: 2,
          finalUrl: 'https://sign-in.example/?to=home',
          finalStatus: 200,
          finalMediaType: 'text/html',
        },
      },
    });
  });

  it.each([
    { name: 'to a file that is not there', answer: reply('x', { status: 404, redirects: hops }), is: 'redirected' },
    { name: 'into nothing', answer: { ...noReply('refused'), redirects: hops }, is: 'redirected' },
    { name: 'into a circle', answer: { ...noReply('redirect-loop'), redirects: hops }, is: 'redirect-loop' },
    { name: 'until we are stopped', answer: { ...noReply('interrupted'), redirects: hops }, is: 'interrupted' },
  ])('$name: $is', ({ answer, is }) => {
    expect(rule(answer)).toBe(is);
  });

  it.each([
    { expected: [308], is: null },
    { expected: [301], is: 'redirected' },
  ])('308 where $expected is expected: $is', ({ expected, is }) => {
    expect(rule(reply('x', { redirects: hops }), expected)).toBe(is);
  });
});

describe('usable: no reply', () => {
  const reasons = Object.keys(REASONS) as Reason[];

  it.each(reasons)('%s is its own code and keeps its evidence and severity', (reason) => {
    expect(usable(noReply(reason, { limit: 7 }))).toEqual({ finding: { rule: reason, evidence: { limit: 7 } } });
    expect(REPLY_RULES[reason]).toBe(REASONS[reason]);
  });
});

describe('replyEvidence', () => {
  it.each([
    {
      name: 'text',
      answer: reply('# Harbour\n', { contentType: 'Text/Plain; charset=utf-8' }),
      is: { status: 200, mediaType: 'text/plain', bytes: 10, firstBytes: '# Harbour␤' },
    },
    {
      name: 'nothing, of no type',
      answer: reply('', { status: 404, contentType: null }),
      is: { status: 404, mediaType: null, bytes: 0 },
    },
    {
      name: 'controls made visible',
      answer: reply('\u001b[31m\u202e\u0000'),
      is: { status: 200, mediaType: 'text/markdown', bytes: 9, firstBytes: '␛[31m\\u202e␀' },
    },
  ])('$name', ({ answer, is }) => {
    expect(replyEvidence(answer)).toEqual(is);
  });

  it('is short for a long body', () => {
    expect(JSON.stringify(replyEvidence(reply('x'.repeat(1_000_000)))).length).toBeLessThan(300);
  });
});

describe('mediaTypeOf', () => {
  it.each([
    { name: 'plain', contentType: 'text/html', is: 'text/html' },
    { name: 'letter case and parameters', contentType: 'Text/HTML; Charset=UTF-8', is: 'text/html' },
    { name: 'no space', contentType: 'text/html;charset=utf-8', is: 'text/html' },
    { name: 'an empty parameter', contentType: 'text/html;', is: 'text/html' },
    { name: 'a broken parameter', contentType: 'text/html; =; x', is: 'text/html' },
    { name: 'white space around', contentType: ' \ttext/html ', is: 'text/html' },
    { name: 'a comma in a quoted parameter', contentType: 'text/html; charset="a,b"', is: 'text/html' },
    { name: 'a suffix', contentType: 'application/ld+json', is: 'application/ld+json' },
    { name: 'none', contentType: null, is: null },
    { name: 'an empty one', contentType: '', is: null },
    { name: 'a word', contentType: 'html', is: null },
    { name: 'half of one', contentType: 'text/', is: null },
    { name: 'a space inside', contentType: 'text/ html', is: null },
    { name: 'two in one header', contentType: 'text/plain, text/html', is: 'text/html' },
    { name: 'two headers', contentType: ['text/plain', 'text/html; x=y'], is: 'text/html' },
    { name: 'a broken one after a good one', contentType: ['text/html', 'broken'], is: 'text/html' },
    // Fetch standard, "extract a MIME type": a wildcard is passed over.
    { name: 'a wildcard after a good one', contentType: ['text/html', '*/*'], is: 'text/html' },
  ])('$name: $is', ({ contentType, is }) => {
    expect(mediaTypeOf(reply('', { contentType }))).toBe(is);
  });

  it('is what a well-kept library reads', () => {
    const numbers = random('media types');
    const PARTS = [
      'text',
      'HTML',
      '/',
      '/',
      ';',
      ' ',
      '\t',
      '\n',
      '\u00a0',
      'charset=utf-8',
      '"',
      '=',
      '*',
      '+',
      'é',
      '\0',
      '(',
      'x.y',
    ];
    for (let run = 0; run < 5_000; run++) {
      // White space around a header's value is gone by then.
      const contentType = Array.from({ length: 1 + numbers.int(7) }, () => numbers.pick(PARTS)).join('');
      const essence = MIMEType.parse(contentType.trim())?.essence;
      expect([contentType, mediaTypeOf(reply('', { contentType }))]).toEqual([
        contentType,
        essence === undefined || essence === '*/*' ? null : essence,
      ]);
    }
  });
});
