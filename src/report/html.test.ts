import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { reportOf, finding } from '../../test/reports.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import type { CheckResult, Report } from '../core/check.ts';
import { LANGUAGES } from '../locales/language.ts';
import { htmlReport } from './html.ts';
import { optionsIn } from '../../test/reports/samples.ts';
import { messagesIn } from '../locales/messages.ts';
import { htmlWords } from '../generated/locales/html.ts';

const OPTIONS = await optionsIn('en');

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a browser would make of the page, as far as these tests ask. */
function read(html: string) {
  const tags: Tag[] = [];
  let text = '';
  let style = '';
  let within = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      tags.push({ name, attributes });
      within = name;
    },
    ontext(piece) {
      if (within === 'style') style += piece;
      else text += piece;
    },
    onclosetag() {
      within = '';
    },
  });
  parser.end(html);
  const attribute = (name: string) =>
    tags.flatMap(({ attributes }) => (attributes[name] === undefined ? [] : [attributes[name]]));
  const policy = tags.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
  return { tags, text, style, attribute, policy: policy?.attributes['content'] ?? '' };
}

const page = (report: Report, options = OPTIONS) => read(htmlReport(report, options));

const OUR_TAGS = new Set(
  `br html head meta title link style body main header footer section article nav h1 h2 h3 h4 p div span b i strong a code
  bdi time ul ol li dl dt dd table thead tbody tr th td details summary pre svg circle path line`.split(/\s+/),
);
const OUR_ATTRIBUTES = new Set(
  `lang charset http-equiv content name rel href class id aria-labelledby aria-hidden focusable role scope dir start
  datetime width height viewbox cx cy r d x1 x2 y1 y2 fill stroke stroke-width`.split(/\s+/),
);

const missing = (count: number) =>
  reportOf([
    {
      id: 'links',
      findings: Array.from({ length: count }, (_, index) =>
        finding({
          rule: 'missing',
          evidence: { target: `page-${index}.md` },
          location: { path: 'index.md', line: index + 1, column: 1 },
        }),
      ),
    },
  ]);

describe('the page', () => {
  it('has the verdict first in its title, and the language of its texts', async () => {
    for (const language of LANGUAGES) {
      const html = htmlReport(reportOf([{}], { verdict: 'down' }), await optionsIn(language));
      const { verdicts } = messagesIn(language);
      expect(/<title>([^<]*)/.exec(html)?.[1]?.toLowerCase().startsWith(verdicts.down)).toBe(true);
      expect(read(html).tags[0]).toEqual({ name: 'html', attributes: { lang: language } });
    }
  });

  it('is the same each time', () => {
    expect(htmlReport(missing(20), OPTIONS)).toBe(htmlReport(missing(20), OPTIONS));
  });

  it('does not depend on how much a terminal shows', () => {
    const quiet = htmlReport(missing(20), { ...OPTIONS, detail: 'quiet', columns: 40, colour: true });
    expect(quiet).toBe(htmlReport(missing(20), OPTIONS));
  });

  it('allows its own stylesheet by its hash, and nothing else', () => {
    const { policy, style, attribute } = page(missing(2));
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      `base-uri 'none'`,
      `form-action 'none'`,
    ]);
    expect([attribute('style'), attribute('src'), attribute('onclick')]).toEqual([[], [], []]);
  });

  it('names nothing on the network in its styles', () => {
    expect(page(missing(2)).style).not.toMatch(/url\(|@import|@font-face|https?:/);
  });

  it('has no scripts, and keeps its signs small where the styles are dropped', () => {
    const { tags } = page(missing(2));
    expect(tags.map(({ name }) => name)).not.toContain('script');
    const signs = tags.filter(({ name }) => name === 'svg');
    expect(signs.length).toBeGreaterThan(3);
    expect(signs.every(({ attributes }) => attributes['height'] !== undefined)).toBe(true);
  });
});

describe('links', () => {
  const CHECKS: readonly Partial<CheckResult>[] = [
    { findings: [finding({ rule: 'not-found' }), finding({ rule: 'syntax' }), finding({ rule: 'syntax' })] },
    { id: 'navigation', findings: [finding({ rule: 'not-found' }), finding({ rule: 'no-links' })] },
    { id: 'home', status: 'warn', findings: [finding({ rule: 'media-type', severity: 'warning' })] },
    { id: 'bundle', status: 'pass', findings: [finding({ rule: 'status', severity: 'info' })] },
    { id: 'llms-txt', status: 'skip', skipped: finding({ rule: 'off', severity: null }) },
  ];

  it('lead to ids that are there, each once', () => {
    const { attribute } = page(reportOf(CHECKS));
    const ids = attribute('id');
    expect(new Set(ids).size).toBe(ids.length);
    const inside = attribute('href').filter((href) => href.startsWith('#'));
    expect(inside.length).toBeGreaterThan(8);
    expect(inside.filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['config', 'config/syntax', 'config/syntax/2', 'bundle', 'llms-txt']));
  });

  it('separate the errors of a code from its warnings', () => {
    const findings = [
      finding({ severity: 'warning' }),
      finding({ severity: 'warning' }),
      finding(),
      finding({ rule: 'html' }),
    ];
    const { attribute } = page(reportOf([{ findings: [...findings, finding({ rule: 'a', severity: 'warning' })] }]));
    const ids = attribute('id').filter((id) => id.startsWith('config/'));
    expect(ids).toEqual([
      'config/syntax',
      'config/html',
      'config/syntax/warning',
      'config/syntax/warning/1',
      'config/syntax/warning/2',
      'config/a',
    ]);
    const targets = attribute('href').map((href) => href.slice(1));
    expect(targets.filter((id) => id.startsWith('config/') && !ids.includes(id))).toEqual([]);
    expect(targets).toEqual(expect.arrayContaining(['config/syntax', 'config/syntax/warning']));
  });

  it('report a fix that findings share once, and lead to it', () => {
    const { attribute } = page(reportOf(CHECKS));
    expect(attribute('href').filter((href) => href === '#config/not-found').length).toBe(3);
  });

  it.each([
    { name: 'the site', url: 'http://docs.test/a.md', linked: true },
    { name: 'another site', url: 'http://evil.test/a.md', linked: false },
    { name: 'the site over TLS, which is another origin', url: 'https://docs.test/', linked: false },
    { name: 'a script', url: 'javascript:alert(1)', linked: false },
    { name: 'a script behind a line end', url: '\njavascript:alert(1)//http://docs.test/', linked: false },
    { name: 'data', url: 'data:text/html,x', linked: false },
    { name: 'a name that begins like the site', url: 'http://docs.test.evil.test/', linked: false },
    { name: 'the site as a user name', url: 'http://docs.test@evil.test/', linked: false },
    { name: 'the site with a password', url: 'http://a:b@docs.test/', linked: false },
    { name: 'no URL', url: '/a.md', linked: false },
    { name: 'a URL that nobody can use', url: `http://docs.test/${'x'.repeat(5000)}`, linked: false },
  ])('to $name: $linked', ({ url, linked }) => {
    const checked = reportOf([{ id: 'bundle', status: 'pass', url, facts: { url } }]);
    const out = page(checked).tags.filter(({ attributes }) => attributes['href']?.startsWith('#') === false);
    const [icon, site, ...others] = out.map(({ attributes }) => attributes);
    expect([icon?.['rel'], site?.['href']]).toEqual(['icon', 'http://docs.test/']);
    const link = { href: url, rel: 'noreferrer noopener' };
    expect(others).toEqual(
      linked
        ? [
            { class: 'live', ...link },
            { class: 'plain', ...link },
          ]
        : [],
    );
  });
});

describe('locations', () => {
  const located = finding({ rule: 'syntax', location: { path: 'config.json', line: 3, column: 5 } });

  it.each([
    { name: 'unknown in the repository', known: null, shown: 'config.json:3:5' },
    {
      name: 'in a folder of it',
      known: { file: 'docs/config.json', line: 3, column: 5 },
      shown: 'docs/config.json:3:5',
    },
    {
      name: 'in another version of the file',
      known: { file: 'docs/config.json', line: null, column: null },
      shown: 'docs/config.json',
    },
  ])('$name', ({ known, shown }) => {
    const html = htmlReport(reportOf([{ findings: [located] }]), { ...OPTIONS, locate: () => known });
    expect([...html.matchAll(/<code dir="ltr">([^<]*)/g)].map(([, location]) => location)).toEqual([shown]);
  });

  it('are marked in the lines around them', () => {
    const excerpt = { firstLine: 3, lines: ['  "<b>",}'], caretColumn: 8 };
    const html = htmlReport(reportOf([{ findings: [{ ...located, excerpt }] }]), OPTIONS);
    const [, frame = ''] = /<pre class="frame" dir="ltr">([^]*?)<\/pre>/.exec(html) ?? [];
    expect(frame.split('\n')).toEqual(['&gt; 3 |   &quot;&lt;b&gt;&quot;,}', '    |        ^', '']);
  });
});

describe('what every check reported', () => {
  const refused = finding({ rule: 'refused', evidence: { host: 'docs.test' } });
  const down = reportOf(
    ['bundle', 'config', 'navigation'].map((id) => ({ id, httpStatus: null, findings: [refused] })),
    { verdict: 'down' },
  );

  it('is reported once', () => {
    const ids = page(down).attribute('id');
    expect(ids.filter((id) => id.includes('refused'))).toEqual(['bundle/refused']);
    expect(ids).toContain('_cause');
  });
});

describe('waiting', () => {
  const clocks = { forMs: 300_000, elapsedMs: 200_000, runs: 3, by: 'source' } as const;

  it.each([
    { name: 'none reached', firstNewMs: null, allNewMs: null, allPassedMs: null, dots: 0 },
    { name: 'one reached', firstNewMs: 10_000, allNewMs: null, allPassedMs: null, dots: 1 },
    { name: 'all reached', firstNewMs: 10_000, allNewMs: 70_000, allPassedMs: 200_000, dots: 3 },
  ])('shows the clocks: $name', ({ firstNewMs, allNewMs, allPassedMs, dots }) => {
    const waited = { ...clocks, firstNewMs, allNewMs, allPassedMs };
    const html = htmlReport(reportOf([{}], { verdict: 'stale', fresh: false, waited }), OPTIONS);
    expect(html.match(/cy="6"/g)?.length ?? 0).toBe(dots);
    const [, list = ''] = /<dl class="clocks">([^]*?)<\/dl>/.exec(html) ?? [];
    expect([list.match(/class="pass"/g)?.length ?? 0, list.match(/<dd>/g)?.length]).toEqual([dots, 3]);
  });

  it('is left out where nobody waited', () => {
    expect(page(reportOf([{}])).attribute('id')).not.toContain('_waiting');
  });
});

describe('very many findings', () => {
  it('shows the first hundred of a code and says how many are left', () => {
    const { attribute, text } = page(missing(5000));
    const ids = attribute('id').filter((id) => id.startsWith('links/missing/'));
    expect([ids.length, ids.at(-1)]).toEqual([100, 'links/missing/100']);
    expect(text).toContain('4,900');
  });

  it('stays a file that opens when each of them is as long as it can be', () => {
    // A run cuts texts at this length.
    const long = '\u202e'.repeat(500);
    const evidence = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}-${long}`, [long, long]]));
    const rules = Array.from({ length: 20 }, (_, index) => `code-${index}`);
    const findings = rules.flatMap((rule) => Array.from({ length: 100 }, () => finding({ rule, evidence })));
    const html = htmlReport(reportOf([{ findings }]), OPTIONS);
    expect(html.length).toBeLessThan(4_000_000);
    expect(
      read(html)
        .attribute('id')
        .filter((id) => id.startsWith('config/')).length,
    ).toBeGreaterThan(100);
  });
});

describe('what a hostile site sends', () => {
  it.each(HOSTILE_ROWS)('is shown and does nothing: $name', ({ text }) => {
    const html = htmlReport(hostileReport(text), OPTIONS);
    const { tags, attribute } = read(html);
    expect(tags.filter(({ name }) => !OUR_TAGS.has(name))).toEqual([]);
    const attributes = new Set(tags.flatMap((tag) => Object.keys(tag.attributes)));
    expect([...attributes].filter((name) => !OUR_ATTRIBUTES.has(name))).toEqual([]);
    const targets = attribute('href').map((href) =>
      href.replace(
        /^(?:#|http:\/\/docs\.test\/|data:image\/svg\+xml,|https:\/\/docvitals\.github\.io\/docvitals\/#).*/,
        '',
      ),
    );
    expect(targets.filter((rest) => rest !== '')).toEqual([]);
    expect(attribute('id')).toEqual(page(hostileReport('plain')).attribute('id'));
    // Nothing that reorders, hides or controls, and no half of a pair; line ends are the template's own.
    expect(/[\p{Zl}\p{Zp}]|(?!\n)\p{C}/u.exec(html)).toBeNull();
    expect(html.length).toBeLessThan(400_000);
  });
});

describe('the word beside a finding', () => {
  it.each(LANGUAGES)('is its severity, never the status of its check, in %s', async (language) => {
    const words = htmlWords(language).severities;
    const options = await optionsIn(language);
    for (const severity of ['error', 'warning', 'info', null] as const) {
      const report = reportOf([{ status: 'unknown', findings: [finding({ severity })] }]);
      const [, heading = ''] = /<h4>(.*?)<\/h4>/s.exec(htmlReport(report, options)) ?? [];
      const [, word = null] = /<span class="word">(.*?)<\/span>/.exec(heading) ?? [];
      expect(word).toBe(severity === null ? null : words[severity]);
    }
  });
});

describe('what to do', () => {
  it.each([
    { severity: 'error', isFix: true },
    { severity: 'warning', isFix: true },
    { severity: null, isFix: false },
    { severity: 'info', isFix: false },
  ] as const)('about a finding of severity $severity is a fix: $isFix', ({ severity, isFix }) => {
    const { text } = page(reportOf([{ findings: [finding({ severity })] }]));
    const { fix, advice } = htmlWords('en');
    expect([text.includes(fix), text.includes(advice)]).toEqual([isFix, !isFix]);
  });
});
