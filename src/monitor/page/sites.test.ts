/** What people read on the pages of a status page, line by line: `fixtures` has the text of each. */
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { SCENES, type Scene } from '../../../test/page/scenes.ts';
import { documentAt } from './routes.ts';

const BLOCKS = new Set(
  'caption dd div dt h1 h2 h3 h4 li main nav p path section summary svg table title tr'.split(' '),
);

/** Days without a fault, of which a page has many. */
const PLAIN = /: 100% up, no fault$/;
const DRAWINGS = ['bars', 'plot'];
const LONGEST_PATH = 120;
const LONGEST_FIX = 60;

/** The lines of the text of a page, each with the classes of the element around it; of a drawing its shapes. */
async function linesOf({ source, place }: Scene): Promise<readonly string[]> {
  const { body } = await documentAt(place, 'en', source, { as: 'served' });
  const lines: string[] = [];
  const classes: string[] = [];
  let text = '';
  const endLine = (): void => {
    const words = text.replaceAll(/\s+/g, ' ').trim();
    const around = classes.findLast((one) => one !== '') ?? '';
    if (words !== '' && !PLAIN.test(words)) {
      // The rest of a fix is that of the check.
      const shown = around === 'fix' ? words.slice(0, LONGEST_FIX) : words;
      lines.push(around === '' ? words : `[${around}] ${shown}`);
    }
    text = '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (BLOCKS.has(name)) endLine();
      classes.push(attributes['class'] ?? '');
      const { 'aria-label': label, d: shape } = attributes;
      if (label !== undefined) text += `(${label}) `;
      if (shape !== undefined && DRAWINGS.some((one) => classes.includes(one))) text += shape.slice(0, LONGEST_PATH);
      if (name === 'td' || name === 'th') text += ' | ';
    },
    ontext: (piece) => void (text += piece),
    onclosetag(name) {
      if (BLOCKS.has(name)) endLine();
      classes.pop();
    },
  });
  parser.end(body.slice(body.indexOf('<main')));
  return lines;
}

describe('the text of a page', () => {
  it.each([
    'all-kinds',
    'no-data',
    'no-sites',
    'unreadable',
    'site',
    'site-new',
    'incident',
    'incident-over',
    'history',
    'located',
    'located-site',
    'located-incident',
  ] as const)('%s', async (name) => {
    const lines = await linesOf(SCENES[name]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`fixtures/${name}.txt`);
  });
});
