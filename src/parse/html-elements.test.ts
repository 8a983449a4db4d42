import { describe, expect, it } from 'vitest';
import { readElements } from './html-elements.ts';

/** What a reader is told, up to the element that it stops at. */
function told(html: string, last = ''): { readonly told: readonly string[]; readonly whole: boolean } {
  const all: string[] = [];
  const whole = readElements(html, {
    open: (name, attributes, offset) => {
      all.push(`<${[name, ...Object.values(attributes)].join(' ')} ${offset}`);
      return `<${name}` !== last;
    },
    close: (name) => {
      all.push(`/${name}`);
      return `/${name}` !== last;
    },
    text: (text) => all.push(text),
    instruction: (name) => all.push(name),
  });
  return { told: all, whole };
}

describe('readElements', () => {
  it.each([
    { name: 'a page', html: '<!DOCTYPE html><p id=a>x', is: ['!doctype', '<p a 15', 'x', '/p'], whole: true },
    { name: 'an element without content', html: '<br><p>', is: ['<br 0', '/br', '<p 4', '/p'], whole: true },
    { name: 'stopped at an element', html: '<a><b>x</b></a>', last: '<b', is: ['<a 0', '<b 3'], whole: false },
    { name: 'stopped at an end', html: '<a><b></b>x</a>', last: '/b', is: ['<a 0', '<b 3', '/b'], whole: false },
    { name: 'nothing', html: '', is: [], whole: true },
  ])('$name', ({ html, last = '', is, whole }) => {
    expect(told(html, last)).toEqual({ told: is, whole });
  });

  it.each([
    { name: 'an attribute', html: `<p id="${'a'.repeat(100_000)}"><img src=b.png>` },
    { name: 'a name', html: `<!--${'a'.repeat(32 * 1024 - 10)}--><img src=b.png>` },
    { name: 'a script', html: `<script>${'a'.repeat(32 * 1024 - 12)}</script><img src=b.png>` },
  ])('reads $name over the end of a piece', ({ html }) => {
    const at = html.indexOf('<img');
    expect(told(html).told).toContain(`<img b.png ${at}`);
  });

  it.each([
    { name: 'closing tags', html: '</b>'.repeat(2_500_000), whole: true },
    { name: 'closing tags in deep nesting', html: `${'<i>'.repeat(490)}${'</b>'.repeat(2_500_000)}`, whole: false },
    {
      name: 'deep nesting again and again',
      html: `${'<i>'.repeat(490)}${'</b>'.repeat(7_000)}${'</i>'.repeat(490)}`.repeat(320),
      whole: false,
    },
    { name: 'forms', html: `<form>${'<i>'.repeat(490)}${'<form>'.repeat(1_500_000)}`, whole: false },
    { name: 'nesting', html: '<i>'.repeat(3_000_000), whole: false },
    { name: 'a page of usual depth', html: `${'<div>'.repeat(30)}${'<p>some text</p>'.repeat(400_000)}`, whole: true },
  ])('bounded: $name', ({ html, whole }) => {
    let steps = 0;
    const count = (): boolean => ++steps > 0;
    expect(readElements(html, { open: count, close: count })).toBe(whole);
  });
});
