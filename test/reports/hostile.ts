/**
 * What a site may send, at its worst, for tests of the outputs: each text is tried in every place of a report that a
 * site has a say in. `test/reports` holds what several outputs share.
 */
import type { CheckResult, Report } from '../../src/core/check.ts';
import type { Finding } from '../../src/core/finding.ts';
import { anyEvidence, finding, reportOf } from '../reports.ts';

const ESC = '\u001b';

/** Texts by name. */
export const HOSTILE: Readonly<Record<string, string>> = {
  empty: '',
  'only blanks': '   ',
  'blanks around': '  a  ',
  'line ends': 'a\nb\r\nc\rd\u0085e\u2028f\u2029g\vh\fi',
  tabs: '\ta\tb\t',
  controls: Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(''),
  'delete and C1 controls': `\u007f${Array.from({ length: 32 }, (_, code) => String.fromCharCode(0x80 + code)).join('')}`,
  'terminal sequences': `${ESC}[31m${ESC}]8;;http://evil.test/${ESC}\\${ESC}]0;owned\u0007${ESC}[2J\u009b31m\b`,
  'a lone high surrogate': 'a\ud83d',
  'a lone low surrogate': '\ude00b',
  'surrogates the wrong way round': '\ude00\ud83d',
  noncharacters: '\ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}',
  'private use and tags': '\ue000\u{f0000}\u{e0041}\u{e007f}',
  'bidi and invisible characters': '\u202e\u2066\u200f\u061c\ufeff\u00ad\u200b\u2060txt.exe',
  'combining marks': `a${'\u0301'.repeat(200)}`,
  emoji: '👩‍👩‍👧‍👦 🇫🇷 ✓',
  'a byte order mark': '\ufeff{}',

  'XML markup': '</testcase><testcase name="x"/><!-- & -->',
  'a CDATA end': 'a]]>b<![CDATA[c]]>]]>',
  'XML entities': '&amp;&#0;&#x1f;&lol;<!DOCTYPE a [<!ENTITY lol "lol">]>',
  'a processing instruction': '<?xml version="1.1"?><?php echo 1 ?>',
  'JUnit attachment': '[[ATTACHMENT|/etc/passwd]] [[attachment|x]]',
  'quotes of all kinds': `"'\`“”«»`,

  'HTML script': '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'HTML details': '</details><details open><summary>x</summary>',
  'HTML comment': '<!-- --> --> --!> <!--',
  'script address': 'javascript:alert(1)',
  'Markdown image': '![x](http://evil.test/x.png)',
  'Markdown link': '[x](http://evil.test/) <http://evil.test/> [x]: http://evil.test/',
  'Markdown table': 'a|b\\|c\\\\|d\n| --- | --- |\n|x|',
  'Markdown block': '# h\n\n---\n\n> q\n\n- [ ] task\n\n    code\n\n***',
  'one backtick': 'a`b',
  'runs of backticks': '``` a ```` b `````',
  'backticks at the ends': '`a`',
  'a code fence': '\n```\n</pre>\n~~~\n',
  'a backslash at the end': 'a\\',
  'backslashes before pipes': 'a\\|b|c\\\\|d',
  mentions: '@octocat @org/team (@octocat)',
  references: '#12 GH-12 owner/repo#12 owner/repo@0123456789abcdef0123456789abcdef01234567 0123456789abcdef',
  'bare addresses': 'http://evil.test/ https://evil.test www.evil.test ftp://evil.test evil@evil.test mailto:a@b.test',
  shortcodes: ':tada: :+1: :shipit:',
  mathematics: '$x$ $$\\href{javascript:alert(1)}{x}$$ $`x`$',
  'GitHub alert': '> [!CAUTION]\n> [^1]: x',
  colour: '#ff0000 rgb(1,2,3)',

  'workflow command': '::error file=a,line=1::owned\n::set-output name=a::b\n::stop-commands::x\n::add-mask::a',
  'workflow command after a return': 'a\r::error::owned\r\n  ::warning::x',
  'old workflow command': '##[error]owned ##[group]x [command]/bin/sh',
  'percent codes': '%0A::error::x%0D%25%3A%2C',
  'file command delimiter': 'a<<EOF\nb\nEOF\nc=d',

  'YAML markup': '- a: &b !!python/object:x [*b, {c: d}] # e\n---\n...\n%TAG ! x',
  'YAML words': 'null',
  'YAML block': '|\n  a\n>-\n  b: c',
  'Prometheus lines': 'a"} 1\n# HELP x y\n# TYPE x counter\nx{y="z\\"} 2 1700000000000\n\\n',
  'JSON text': '{"a": "b\\u0000", "__proto__": {"x": 1}}',
  'a member of every object': '__proto__',
  'another member of every object': 'constructor',
  'shell command': '$(touch x); `touch x` && touch x | tee ${IFS} "$HOME" \'x\'',
  'format codes': '%s %n %x ${x} {{x}} {0}',
  'spreadsheet formula': '=cmd|"/c calc"!A1',
  'path upwards': '../../etc/passwd\\..\\..',
  'a long word': 'x'.repeat(100_000),
  'many lines': 'line\n'.repeat(5_000),
  'many backticks': '`'.repeat(50_000),
  'many backslashes': '\\'.repeat(50_000),
  'many brackets': '['.repeat(50_000),
  'many angle brackets': '<a'.repeat(50_000),
  'many ampersands': '&'.repeat(50_000),
  'many surrogates': '\ud800'.repeat(5_000),
};

/** Rows for `it.each`. */
export const HOSTILE_ROWS: readonly { readonly name: string; readonly text: string }[] = Object.entries(HOSTILE).map(
  ([name, text]) => ({ name, text }),
);

/** The text as evidence: as a value, in lists, in objects, and as the name of a fact. */
function evidenceOf(text: string): Finding['evidence'] {
  return anyEvidence({
    value: text,
    list: [text, 'b'],
    objects: [{ value: text }, { b: 1 }],
    nested: { [text]: { [text]: text } },
  });
}

/** A report in which every place that a site has a say in holds the text: paths, evidence, excerpts, facts, targets. */
export function hostileReport(text: string, rest: Partial<Report> = {}): Report {
  const place = { path: text, line: 3, column: 7 };
  const evidence = evidenceOf(text);
  const excerpt = { firstLine: 2, lines: [text, text, 'plain'], caretColumn: 2 };
  const named = finding({ evidence: JSON.parse(JSON.stringify({ x: 1 })) as Finding['evidence'] });
  Object.defineProperty(named.evidence, text, { value: text, enumerable: true });
  const site: Partial<CheckResult> = { target: `GET /${text}`, url: `http://docs.test/${text}`, facts: evidence };
  return reportOf(
    [
      {
        ...site,
        findings: [
          finding({
            rule: 'trailing-comma',
            evidence,
            location: place,
            locations: [place, { ...place, line: 9 }],
            excerpt,
          }),
          finding({ rule: 'syntax', evidence, location: { ...place, line: 4 } }),
          finding({ rule: 'syntax', evidence, location: { ...place, line: 5 }, excerpt }),
          named,
        ],
      },
      {
        ...site,
        id: 'navigation',
        status: 'warn',
        findings: [finding({ severity: 'warning', rule: 'no-links', evidence })],
      },
      {
        ...site,
        id: 'home',
        status: 'unknown',
        findings: [finding({ severity: null, rule: 'out-of-descriptors', evidence })],
      },
      { ...site, id: 'llms-txt', status: 'skip', skipped: finding({ severity: null, rule: 'off', evidence }) },
      { ...site, id: 'bundle', status: 'pass', findings: [finding({ severity: 'info', rule: 'status', evidence })] },
    ],
    rest,
  );
}
