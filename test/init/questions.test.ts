/** `docvitals init` on a terminal: what it asks, in which language, and that an end is an end. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/texts.ts';
import { makeProject, snapshot } from './project.ts';
import { hasTerminal, onTerminal, type Session, type Step } from '../cli/pty.ts';
import { initWords } from '../../src/generated/locales/init.ts';
import { messagesIn } from '../../src/locales/messages.ts';

const DOWN = '\u001b[B';
const ENTER = '\r';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ESCAPE = '\u001b';
const CLEAR_LINE = '\u0015';
/** What shows the cursor, and what hides it. */
const SHOWN = '\u001b[?25h';
const HIDDEN = '\u001b[?25l';

const GITHUB = 'https://github.com/acme/handbook.git';
const SITE = { 'docs/README.md': '# Docs\n', 'docs/index.html': '<script src="docsify.js"></script>' };
const NIGHTLY = '.github/workflows/docvitals-nightly.yml';
const PAGES = '.github/workflows/docvitals-pages.yml';

const en = initWords('en');

/** The questions of a project on GitHub whose host is not known, in their order, each with what takes its default. */
const DEFAULTS: readonly Step[] = [
  { when: en.askLanguage, press: ENTER },
  { when: en.askUrl, press: ENTER },
  { when: en.askHost, press: ENTER },
  { when: en.askWorkflows, press: ENTER },
  { when: en.askMonitor, press: ENTER },
  { when: en.askWrite, press: ENTER },
];

const converse = (args: readonly string[], cwd: string, steps: readonly Step[]): Promise<Session> =>
  onTerminal(args, { cwd, steps });

describe.skipIf(!hasTerminal).concurrent('questions', () => {
  it.each(LANGUAGES.map((language, index) => ({ language, index })))('in $language', async ({ language, index }) => {
    const words = initWords(language);
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const { status, left, text } = await converse(['init'], folder, [
      { when: en.askLanguage, press: DOWN.repeat(index) + ENTER },
      { when: words.askUrl, press: ENTER },
      // A plain web server.
      { when: words.askHost, press: DOWN + ENTER },
      // GitHub Pages too; the night is chosen already.
      { when: words.askWorkflows, press: ` ${ENTER}` },
      { when: words.askHosting(words.hosts.server), press: `y` },
      { when: words.askMonitor, press: `y` },
      { when: words.askWrite, press: ENTER },
    ]);
    expect({ status, left }).toEqual({ status: 0, left: 0 });
    const files = snapshot(folder);
    expect(Object.keys(files)).toEqual([NIGHTLY, PAGES, ...Object.keys(SITE), 'docs.conf', 'docvitals.yaml']);
    expect(files['docvitals.yaml']?.split('\n').slice(1)).toEqual([
      'url: https://acme.github.io/handbook/',
      'source: docs',
      'host: server',
      `language: ${language}`,
      'monitor:',
      '  listen: 127.0.0.1:9464',
      '',
    ]);
    // What the prompts themselves would say in English is not said.
    const foreign = language === 'en' ? /navigate|\b(?:Da|Oui)\b/ : /navigate|\b(?:Yes|No)\b/;
    expect(stripVTControlCharacters(text)).not.toMatch(foreign);
  });

  it('are not asked where the command line answers, but for the last', async () => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const url = 'https://docs.example.com/';
    const args = [
      '--url',
      url,
      '--host',
      'server',
      '--workflow',
      'none',
      '--no-hosting',
      '--no-monitor',
      '--lang',
      'en',
    ];
    const { status, left } = await converse(['init', ...args], folder, [{ when: en.askWrite, press: ENTER }]);
    expect([status, left, Object.keys(snapshot(folder))]).toEqual([0, 0, [...Object.keys(SITE), 'docvitals.yaml']]);
  });

  it('are not asked at all with --yes', async () => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const { status, text } = await converse(['init', '--yes'], folder, []);
    expect([status, Object.keys(snapshot(folder))]).toEqual([0, [NIGHTLY, ...Object.keys(SITE), 'docvitals.yaml']]);
    expect(text).not.toContain('?25l');
  });

  it('begin in the language of whoever is asked', async () => {
    const fr = initWords('fr');
    const folder = makeProject({ files: SITE });
    const { status, text } = await onTerminal(['init'], {
      cwd: folder,
      env: { LC_ALL: 'fr_FR.UTF-8' },
      steps: [{ when: fr.askLanguage, press: CTRL_C }],
    });
    expect(status).toBe(130);
    expect(text).not.toContain(en.askLanguage);
  });

  it('begin in all languages where the environment names none', async () => {
    const folder = makeProject({ files: SITE });
    const { text } = await converse(['init'], folder, [{ when: en.askLanguage, press: CTRL_C }]);
    for (const language of LANGUAGES) expect(text).toContain(initWords(language).askLanguage);
  });

  it('are asked again until an address is one', async () => {
    const folder = makeProject();
    const messages = messagesIn('en');
    const { status, left, text } = await converse(
      ['init', '--lang', 'en', '--host', 'server', '--no-hosting'],
      folder,
      [
        { when: en.askUrl, press: ENTER },
        { when: messages.baseUrl('invalid', '').trim().slice(0, 20), press: `docs.example.com${ENTER}` },
        { when: 'Did you mean', press: `${CLEAR_LINE}https://u:p@x.test/${ENTER}` },
        {
          when: messages.secretInUrl('URL').slice(0, 20),
          press: `${CLEAR_LINE}https://docs.example.com/index.html${ENTER}`,
        },
        { when: en.askMonitor, press: ENTER },
        { when: en.askWrite, press: ENTER },
      ],
    );
    expect([status, left]).toEqual([0, 0]);
    // Outside of Git nothing runs workflows.
    expect(text).not.toContain(en.askWorkflows);
    expect(readFileSync(path.join(folder, 'docvitals.yaml'), 'utf8')).toContain('url: https://docs.example.com/\n');
  });

  it('about the configuration of Apache are not asked: there is none', async () => {
    const folder = makeProject({ remote: null, files: { ...SITE, '.htaccess': '' } });
    const args = ['init', '--lang', 'en', '--url', 'https://docs.example.com/', '--workflow', 'none', '--no-monitor'];
    const { status, left } = await converse(args, folder, [{ when: en.askWrite, press: ENTER }]);
    expect([status, left]).toEqual([0, 0]);
  });

  it('about workflows are not asked where GitHub runs nothing', async () => {
    const folder = makeProject({ remote: 'https://gitlab.com/acme/docs.git', files: SITE });
    const { status, text } = await converse(['init', '--lang', 'en', '--host', 'server'], folder, [
      { when: en.askUrl, press: ENTER },
      { when: en.askHosting(en.hosts.server), press: ENTER },
      { when: en.askMonitor, press: ENTER },
      { when: en.askWrite, press: ENTER },
    ]);
    expect([status, Object.keys(snapshot(folder))]).toEqual([0, [...Object.keys(SITE), 'docvitals.yaml']]);
    expect(text).not.toContain(en.askWorkflows);
    expect(text).toContain('npx --yes docvitals@0 check');
  });
});

describe.skipIf(!hasTerminal).concurrent('an end', () => {
  const rows = DEFAULTS.flatMap((step, index) =>
    [
      { name: 'Ctrl-C', press: CTRL_C },
      { name: 'Ctrl-D', press: CTRL_D },
      // The letter is no end, and does not keep the end away.
      { name: 'Ctrl-D after a letter', press: `d${CTRL_D}` },
      { name: 'Escape', press: ESCAPE },
    ].map(({ name, press }) => ({
      name: `${name} at “${step.when}”`,
      steps: [...DEFAULTS.slice(0, index), { when: step.when, press }],
    })),
  );

  it.each(rows)('$name writes nothing', async ({ steps }) => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const before = snapshot(folder);
    const { status, left, text } = await converse(['init'], folder, steps);
    expect({ status, left, files: snapshot(folder) }).toEqual({ status: 130, left: 0, files: before });
    expect(text).toContain(en.cancelled);
    // The cursor that the prompts hide is shown again.
    expect(text.lastIndexOf(SHOWN)).toBeGreaterThan(text.lastIndexOf(HIDDEN));
  });

  it.each(DEFAULTS.map(({ when }, index) => ({ when, index })))('SIGTERM at “$when” is reported', async ({ index }) => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const before = snapshot(folder);
    const steps = DEFAULTS.slice(0, index + 1).map((step, at) => (at === index ? { ...step, kill: true } : step));
    const { status, left, text } = await converse(['init'], folder, steps);
    expect({ status, left, files: snapshot(folder) }).toEqual({ status: 143, left: 0, files: before });
    expect(text).toContain(en.cancelled);
    expect(text.lastIndexOf(SHOWN)).toBeGreaterThan(text.lastIndexOf(HIDDEN));
  });

  it('No to the last question is none', async () => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const { status, text } = await converse(['init'], folder, [
      ...DEFAULTS.slice(0, -1),
      { when: en.askWrite, press: 'n' },
    ]);
    expect([status, Object.keys(snapshot(folder))]).toEqual([0, Object.keys(SITE)]);
    expect(text).toContain(en.cancelled);
  });

  it('--dry-run asks all but the last', async () => {
    const folder = makeProject({ remote: GITHUB, files: SITE });
    const { status, left, text } = await converse(['init', '--dry-run'], folder, DEFAULTS.slice(0, -1));
    expect([status, left, Object.keys(snapshot(folder))]).toEqual([0, 0, Object.keys(SITE)]);
    expect(text).not.toContain(en.askWrite);
  });
});
