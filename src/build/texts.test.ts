import { describe, expect, it } from 'vitest';
import { textsOf } from '../report/texts.ts';
import { BuildError } from './output.ts';
import { pageSource, readPage } from './texts.ts';

const WHOLE = `# Navigation

What is expected,
on two lines.

More of it.

## degraded

Do \`this\`.

## no-links

The problem has \`code\`
and a wrap.

The fix.

\`\`\`md
# not a heading
\`\`\`

### A smaller heading

Its paragraph.

## html

Problem\u00a0: one.

Fix.
`;

/** The mistakes of a page, as `line message`. */
function mistakes(markdown: string, degraded = true): string[] {
  try {
    readPage(markdown, { degraded });
  } catch (error) {
    if (error instanceof BuildError) return error.message.split('\n').map((one) => one.replace(/^:(\d+):/, '$1'));
    throw error;
  }
  return [];
}

describe('readPage', () => {
  const page = readPage(WHOLE, { degraded: true });

  it('takes the title, the first paragraph and the documented action', () => {
    expect(page).toMatchObject({
      title: 'Navigation',
      expected: 'What is expected, on two lines.',
      degraded: 'Do `this`.',
    });
  });

  it('keeps what follows them', () => {
    expect(page.more).toBe('More of it.');
  });

  it('can be put together again, without its wraps', () => {
    const unwrapped = WHOLE.replace('expected,\non', 'expected, on')
      .replace('`code`\nand', '`code` and')
      .replace('## degraded', '## If this check fails');
    expect(textsOf('en', { navigation: page }).page('navigation')).toBe(unwrapped);
  });

  it('takes the rules in the order of the page', () => {
    expect(Object.keys(page.rules)).toEqual(['no-links', 'html']);
  });

  it('takes problem and fix as Markdown source on one line each', () => {
    expect(page.rules['no-links']).toMatchObject({ problem: 'The problem has `code` and a wrap.', fix: 'The fix.' });
  });

  it('takes what follows up to the next rule, smaller headings included', () => {
    expect(page.rules['no-links']?.more).toMatch(/^```md\n[^]*Its paragraph\.$/);
    expect(page.rules['html']).not.toHaveProperty('more');
  });

  it('keeps no-break spaces', () => {
    expect(page.rules['html']?.problem).toBe('Problem\u00a0: one.');
  });

  it('reads a file that a Windows checkout has given CRLF the same', () => {
    expect(readPage(WHOLE.replaceAll('\n', '\r\n'), { degraded: true })).toEqual(page);
  });

  it('has no action where none is written', () => {
    expect(readPage('# Shared\n\nIntro.\n', { degraded: false })).toEqual({
      title: 'Shared',
      expected: 'Intro.',
      rules: {},
    });
  });
});

describe('a page that is not whole', () => {
  const head = '# T\n\nIntro.\n\n## degraded\n\nDo.\n\n';
  it.each([
    ['empty', '', /^1 .*title/],
    ['no title', 'Intro.\n\n## degraded\n\nDo.\n', /^1 .*title/],
    ['no paragraph after the title', '# T\n\n## degraded\n\nDo.\n', /^1 no paragraph/],
    ['no documented action', '# T\n\nIntro.\n', /^1 .*degraded/],
    ['a documented action of two paragraphs', '# T\n\nIntro.\n\n## degraded\n\nDo.\n\nMore.\n', /^5 .*degraded/],
    ['a documented action with a list', '# T\n\nIntro.\n\n## degraded\n\nDo.\n\n- more\n', /^5 .*degraded/],
    [
      'a documented action after a rule',
      '# T\n\nIntro.\n\n## html\n\nP.\n\nF.\n\n## degraded\n\nDo.\n',
      /^1 .*degraded/,
    ],
    ['a list before the first paragraph', '# T\n\n- list\n\nIntro.\n\n## degraded\n\nDo.\n', /^1 no paragraph/],
    ['a list between problem and fix', `${head}## html\n\nP.\n\n- list\n\nF.\n`, /^9 section "html"/],
    ['a rule with its problem only', `${head}## html\n\nProblem.\n`, /^9 section "html"/],
    ['a rule without paragraphs', `${head}## html\n\n- list\n`, /^9 section "html"/],
    ['a rule twice', `${head}## html\n\nP.\n\nF.\n\n## html\n\nP.\n\nF.\n`, /^15 .*twice/],
    ['a heading that is no rule', `${head}## No links\n\nP.\n\nF.\n`, /^9 .*"No links"/],
    ['the name of an object member as a rule', `${head}## __proto__\n\nP.\n\nF.\n`, /^9 /],
  ])('%s', (_name, markdown, line) => {
    expect(mistakes(markdown)).toEqual([expect.stringMatching(line)]);
  });

  it('a documented action where none belongs', () => {
    expect(mistakes(head, false)).toEqual([expect.stringMatching(/^5 .*degraded/)]);
  });
});

describe('pageSource', () => {
  it('ends the item of each host with how its cache is purged, and leaves no host out', async () => {
    const { rules } = readPage(await pageSource('caching', 'en'), { degraded: true });
    const hosts = rules['bundle-cached']?.hosts ?? {};
    expect(Object.keys(hosts).join()).toBe(
      'nginx,Apache,Caddy,Vercel,Netlify,Cloudflare,GitHub Pages,S3 and CloudFront,Other hosts',
    );
    expect(hosts['Vercel']).toBe(
      'Set the header for both paths under `headers` in `vercel.json`. To purge its cache, run `vercel cache purge --type cdn`.',
    );
    expect(hosts['GitHub Pages']).toBe('Its cache cannot be purged: wait 10 minutes after the deployment.');
  });

  it('takes the fix of a rule from the page that all checks share, where it says so', async () => {
    const of = async (id: string) =>
      readPage(await pageSource(id, 'en'), { degraded: id !== 'common' }).rules['spa-fallback'];
    const [own, shared] = [await of('config'), await of('common')];
    expect(own?.problem).toContain('blank white screen');
    expect(own).toEqual({ ...shared, problem: own?.problem });
  });
});
