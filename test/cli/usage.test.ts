import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere, type ResultHere } from './run-here.ts';
import { runCli } from './run.ts';

const LOCALES = { en: 'C', ro: 'ro_RO.UTF-8', fr: 'fr_FR.UTF-8' } as const;
const SITE = 'http://docs.test/';
const SECRET = 'hunter2';

/** A command line with a mistake in it. */
interface Mistake {
  readonly name: string;
  readonly args: readonly string[];
  /** Values that the line must hold: what was given, what was meant. */
  readonly holds: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files of the folder that the command runs in. */
  readonly files?: Readonly<Record<string, string>>;
}

const wrong = (
  name: string,
  args: readonly string[],
  holds: readonly string[],
  rest: Partial<Mistake> = {},
): Mistake => ({
  name,
  args,
  holds,
  ...rest,
});

/** One of each message: in every language. */
const MESSAGES: readonly Mistake[] = [
  wrong('an unknown option', ['check', SITE, '--onyl', 'home'], ['--onyl', '--only']),
  wrong('an unknown command', ['chekc', SITE], ['chekc', 'check']),
  wrong('a bare rule to explain that is misspelled', ['explain', 'spafallback'], ['spafallback', 'spa-fallback']),
  wrong('an option without its value', ['check', SITE, '--timeout'], ['--timeout']),
  wrong('two base URLs', ['check', SITE, 'http://other.test/'], ['docvitals check --help']),
  wrong('a duration without a unit', ['check', SITE, '--timeout', '10'], ['--timeout', '10', '10s']),
  wrong('retries that are no number', ['check', SITE, '--retries', 'x'], ['--retries', 'x']),
  wrong('a header without a colon', ['check', SITE, '--header', SECRET], ['--header']),
  wrong('a rule that is no host:port:address', ['check', SITE, '--resolve', 'nowhere'], ['--resolve', 'nowhere']),
  wrong('a report without a file', ['check', SITE, '--report', 'json'], ['--report', 'json=']),
  wrong('an unknown format', ['check', SITE, '--format', 'jsno'], ['--format', 'jsno', 'json', 'pretty']),
  wrong('an unknown language', ['check', SITE, '--lang', 'de'], ['--lang', 'de', 'en', 'ro', 'fr']),
  wrong(
    'an unknown check',
    ['check', SITE, '--only', 'navigatoin'],
    ['--only', 'navigatoin', 'navigation', 'llms-txt'],
  ),
  wrong('an unknown finding', ['explain', 'navigation/no-link'], ['no-link', 'no-links']),
  wrong('a finding of another name, with all that there are', ['explain', 'links/zzz'], ['zzz', 'mostly-unchecked']),
  wrong('an unknown shell', ['completion', 'zhs'], ['zhs', 'zsh', 'fish']),
  wrong('no check left', ['check', SITE, '--only', 'home', '--skip', 'home'], ['--only', '--skip']),
  wrong('IPv4 only and IPv6 only', ['check', SITE, '--ipv4', '--ipv6'], ['--ipv4', '--ipv6']),
  wrong('a proxy that is none', ['check', SITE], ['HTTP_PROXY'], { env: { HTTP_PROXY: `socks5://me:${SECRET}@x` } }),
  wrong('no base URL', ['check'], ['https://docs.example.com/', 'docvitals.yaml']),
  wrong('a file URL', ['check', 'file:///srv/docs/index.html'], ['file:///srv/docs/index.html', 'HTTP']),
  wrong('another scheme', ['check', 'ftp://docs.test/'], ['ftp://docs.test/', 'https']),
  wrong('no scheme', ['check', 'docs.test/manual'], ['https://docs.test/manual']),
  wrong('no host', ['check', 'https://'], ['https://docs.example.com/']),
  wrong('nonsense', ['check', 'not a url'], ['not a url']),
  wrong('a configuration that is not there', ['check', SITE, '--config', 'nowhere.yaml'], ['nowhere.yaml']),
  wrong('a broken configuration', ['check', SITE], ['docvitals.yaml:'], {
    files: { 'docvitals.yaml': 'only: [bundle\n' },
  }),
  wrong('an unknown key', ['check', SITE], ['docvitals.yaml:1:1', 'langauge', 'language'], {
    files: { 'docvitals.yaml': 'langauge: fr\n' },
  }),
  wrong('a variable that is not set', ['check', SITE], ['docvitals.yaml:2:', 'NO_SUCH_TOKEN'], {
    files: { 'docvitals.yaml': 'headers:\n  Authorization: Bearer ${NO_SUCH_TOKEN}\n' },
  }),
];

const durations = ['', '0', '0s', '-5s', '1e3s', '5 apples', '10,5s', 'Infinity', '99999h'];
const onDisk = [
  'FILE:///srv',
  'file:/srv',
  'file:srv',
  'file://server/share',
  '/srv/docs',
  './docs',
  '../docs',
  'C:\\docs',
  'c:/docs',
];
const unresolvable = [
  ':443:127.0.0.1',
  'x:0:127.0.0.1',
  'x:65536:127.0.0.1',
  'x:443:',
  'x:443:elsewhere.test',
  'x:443:1.2.3.256',
];
const headers = [
  '',
  ':',
  `: ${SECRET}`,
  `X Y: ${SECRET}`,
  `X-Key: ${SECRET}\r\nX-Other: 1`,
  `Content-Length: ${SECRET}`,
  `X-Key: ${SECRET}\u2026`,
];

/** More ways to the same messages: in English. */
const VARIANTS: readonly Mistake[] = [
  ...durations.map((text) => wrong(`--timeout '${text}'`, ['check', SITE, `--timeout=${text}`], ['--timeout', text])),
  wrong('--deadline soon', ['check', SITE, '--deadline', 'soon'], ['--deadline', 'soon']),
  ...['-1', '11', '1.5', ''].map((text) =>
    wrong(`--retries '${text}'`, ['check', SITE, `--retries=${text}`], ['--retries', text]),
  ),
  ...onDisk.map((text) => wrong(`the file ${text}`, ['check', text], [text, 'file:', 'HTTP'])),
  ...['.', '..', '\\\\server\\share'].map((text) =>
    wrong(`the folder ${text}`, ['check', text], [text, 'file:', 'HTTP']),
  ),
  ...unresolvable.map((text) => wrong(`--resolve ${text}`, ['check', SITE, '--resolve', text], ['--resolve', text])),
  ...headers.map((text, index) =>
    wrong(`--header, bad in way ${index}`, ['check', SITE, '--header', text], ['--header']),
  ),
  ...['ws://x/', 'javascript:alert(1)', 'mailto:me@docs.test', 'view-source:https://x/', 'data:text/html,x'].map(
    (text) => wrong(`the scheme of ${text}`, ['check', text], ['http and https']),
  ),
  wrong('no scheme, with a port', ['check', 'docs.test:8080/manual'], ['https://docs.test:8080/manual']),
  // A server on this machine has no certificate.
  ...['localhost', 'localhost:8080', '[::1]:8080', '127.0.0.1'].map((text) =>
    wrong(`no scheme: ${text}`, ['check', text], [`http://${text}`]),
  ),
  ...['http:', 'http:/', 'https:docs.test', 'https:///docs/', 'http://?x', 'http://#/a.md'].map((text) =>
    wrong(`no host: ${text}`, ['check', text], ['the host is missing']),
  ),
  ...['http://[::1', 'http://x:99999/', 'http://a b/', 'http://%zz/', '', '   '].map((text) =>
    wrong(`nonsense: '${text}'`, ['check', text], ['https://docs.example.com/']),
  ),
  wrong('a URL without the command', ['https://docs.test/'], ['docvitals check']),
  wrong('--verbose and --quiet', ['check', SITE, '--verbose', '--quiet'], ['--verbose', '--quiet']),
  wrong('an unknown option with a value', ['check', SITE, '--timeot=5s'], ['--timeot', '--timeout']),
  wrong('an option of another command', ['explain', '--only', 'home'], ['--only', 'docvitals explain --help']),
  wrong('the start of an option', ['check', SITE, '--verb'], ['--verb', '--verbose']),
  wrong('--report in an unknown format', ['check', SITE, '--report', 'jsn=x.json'], ['--report', 'jsn', 'json']),
  wrong('--report without a format', ['check', SITE, '--report', '=x.json'], ['--report']),
  wrong('--skip of an unknown check', ['check', SITE, '--skip', 'bundle,hme'], ['--skip', 'hme', 'home']),
  wrong('all checks skipped', ['check', SITE, '--skip', 'bundle,config,navigation,home,llms-txt'], ['--skip']),
  wrong('an unknown check to explain', ['explain', 'hme'], ['hme', 'home']),
  wrong('a configuration that is a folder', ['check', SITE, '--config', '.'], ['.']),
  wrong('an HTTPS proxy that is none', ['check', 'https://docs.test/'], ['HTTPS_PROXY'], {
    env: { HTTPS_PROXY: 'http://' },
  }),
  wrong('a proxy in lower case', ['check', SITE], ['http_proxy'], { env: { http_proxy: `http://me:${SECRET}@:x` } }),
  wrong('a base URL in the configuration', ['check'], ['https'], {
    files: { 'docvitals.yaml': 'url: ftp://docs.test/\n' },
  }),
  wrong('an escape sequence in a URL', ['check', 'no\u001b[31mpe\nat all\u202e'], ['no', 'pe']),
  wrong('an escape sequence in a file URL', ['check', 'file:///\u001b]8;;http://x/\u0007\nx'], ['file:']),
  wrong('an escape sequence in an option', ['check', SITE, '--\u001b[31mx\ny'], ['--']),
  wrong('an escape sequence in a file name', ['check', SITE, '--config', 'a\u001b[31m\nb.yaml'], ['b.yaml']),
  wrong('a password in a URL', ['check', `ftp://me:${SECRET}@docs.test/`], ['ftp://docs.test/']),
  wrong('a password without a scheme', ['check', `me:${SECRET}@docs.test`], ['docs.test']),
  wrong('a password and no host', ['check', `https://me:${SECRET}@`], ['https://']),
  wrong('a password and a bad port', ['check', `https://me:${SECRET}@docs.test:99999/`], ['docs.test:99999']),
  wrong('a password with an @', ['check', `https://me:x@${SECRET}@docs.test:99999/`], ['docs.test:99999']),
  wrong('a password with a slash', ['check', `https://me:a/${SECRET}@docs.test/`], ['https://']),
  wrong('a password with a question mark', ['check', `https://me:a?${SECRET}@docs.test/`], ['https://']),
  wrong('a password with a hash', ['check', `https://me:a#${SECRET}@docs.test/`], ['https://']),
  wrong('a header as an unknown option', ['check', SITE, `--headers=X-Key: ${SECRET}`], ['--headers', '--header']),
  wrong('a header in the configuration', ['check', SITE], ['docvitals.yaml:2:', 'X-Key'], {
    files: { 'docvitals.yaml': `headers:\n  X-Key: "${SECRET}\\n"\n` },
  }),
  wrong('a password in the configuration', ['check'], ['docvitals.yaml:1:6'], {
    files: { 'docvitals.yaml': `url: ftp://me:${SECRET}@docs.test/\n` },
  }),
];

function run({ args, env, files: content = {} }: Mistake, locale: string): Promise<ResultHere> {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-usage-'));
  for (const [name, text] of Object.entries(content)) writeFileSync(join(cwd, name), text);
  return runHere(args, { cwd, env: { LC_ALL: locale, ...env } });
}

function expectOneLine({ status, stdout, stderr }: ResultHere, holds: readonly string[]): void {
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  // One line, and nothing in it that a terminal would act on; so no stack either.
  expect(stderr).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n$/u);
  expect(stderr).not.toContain(SECRET);
  expect(stderr).not.toMatch(/\.js:\d|\bat .*:\d+:\d+/);
  for (const part of holds) expect(stderr).toContain(part);
}

describe.concurrent('a usage error', () => {
  it.each(MESSAGES)('is reported in each language: $name', async (mistake) => {
    const results = await Promise.all(Object.values(LOCALES).map((locale) => run(mistake, locale)));
    for (const result of results) expectOneLine(result, mistake.holds);
    expect(new Set(results.map(({ stderr }) => stderr)).size).toBe(results.length);
  });

  it.each(VARIANTS)('is reported: $name', async (mistake) => {
    expectOneLine(await run(mistake, LOCALES.en), mistake.holds);
  });

  it('is reported in the language that the configuration names', async () => {
    const files = { 'docvitals.yaml': 'language: fr\n' };
    const mistake = wrong('', ['check', SITE, '--only', 'nope'], [], { files });
    const [told, french] = await Promise.all([run(mistake, LOCALES.en), run({ ...mistake, files: {} }, LOCALES.fr)]);
    expect(told.stderr).toBe(french.stderr);
  });

  it('is reported in the language of --lang, wherever the mistake is', async () => {
    const [before, after, french] = await Promise.all([
      run(wrong('', ['check', '--lang', 'fr', SITE, '--onyl'], []), LOCALES.en),
      run(wrong('', ['check', SITE, '--onyl', '--lang=fr'], []), LOCALES.en),
      run(wrong('', ['check', SITE, '--onyl'], []), LOCALES.fr),
    ]);
    expect([before.stderr, after.stderr]).toEqual([french.stderr, french.stderr]);
  });
});

describe.concurrent('a configuration with several mistakes', () => {
  it('has each reported on a line of its own, with its place', async () => {
    const text = 'langauge: fr\nlimits:\n  timeout: 10\nonly: [nope]\n';
    const result = await run(wrong('', ['check', SITE], [], { files: { 'docvitals.yaml': text } }), LOCALES.en);
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status: 2, stdout: '' });
    const places = result.stderr
      .trimEnd()
      .split('\n')
      .map((line) => /docvitals\.yaml:(\d+):\d+/.exec(line)?.[1]);
    expect(places).toEqual(['1', '3', '4']);
  });
});

describe('options that want something else', () => {
  it.each([
    ['a value that it does not take', ['check', SITE, '--strict=yes']],
    ['an empty file', ['check', SITE, '--config', '']],
    ['an empty duration', ['check', SITE, '--timeout=']],
    ['a header that cannot be set', ['check', SITE, '--header', 'Content-Length: 5']],
  ])('%s is reported in one line', async (_name, args) => {
    const { status, stdout, stderr } = await runCli(args);
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).not.toContain('Did you mean');
  });
});

describe('a configuration that is a program', () => {
  it.each([
    ['leaves a rejection behind', "Promise.reject(new Error('lost'));\nexport default {};\n"],
    ['leaves a timer that throws', "setTimeout(() => { throw new Error('lost'); });\nexport default {};\n"],
  ])('that %s ends in one line, and not as a failed check', async (_name, source) => {
    const folder = mkdtempSync(join(tmpdir(), 'docvitals-program-'));
    writeFileSync(join(folder, 'docvitals.config.mjs'), source);
    const { status, stderr } = await runCli(['check', 'http://127.0.0.1:1/', '--retries', '0'], { cwd: folder });
    expect([status, stderr]).toEqual([3, 'docvitals: lost\n']);
  });
});
