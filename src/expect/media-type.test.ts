import { MIMEType } from 'whatwg-mimetype';
import { describe, expect, it } from 'vitest';
import { reply } from '../../test/answers.ts';
import { random } from '../../test/generator/random.ts';
import { mediaTypeOf } from './reply.ts';

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
