/** `docvitals init` on a terminal: what it asks, in which language, and that an end is an end. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/locales/language.ts';
import { makeProject, snapshot } from './project.ts';
import { hasTerminal, onTerminal } from '../cli/pty.ts';
import { converse, CTRL_C, DEFAULTS, en, ENDS, ENTER, expectEnd, GITHUB, SITE } from './conversation.ts';
import { initWords } from '../../src/generated/locales/init.ts';
import { messagesIn } from '../../src/locales/messages.ts';

const DOWN = '\u001b[B';
const CLEAR_LINE = '\u0015';
const NIGHTLY = '.github/workflows/docvitals-nightly.yml';
const PAGES = '.github/workflows/docvitals-pages.yml';

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
  // Each key, and each question but the last, once; questions.long.test.ts has each key at each question.
  it.each(ENDS.filter((_, index) => index % 6 === 0))('$name writes nothing', async (end) => {
    await expectEnd(end);
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
