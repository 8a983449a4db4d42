/** The questions of `init`, with answers as keys on a stream instead of a terminal. */
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { initWords } from '../generated/locales/init.ts';
import { LANGUAGES, type Language } from '../locales/language.ts';
import type { Known, Proposal } from './answers.ts';
import type { Project } from './detect.ts';
import { ask, askLanguage, askYes, Cancelled, type Terminal } from './questions.ts';

const [DOWN, ENTER, CTRL_C, CTRL_D, ESCAPE] = ['\u001b[B', '\r', '\u0003', '\u0004', '\u001b'];
const CLEAR_LINE = '\u0015';

/** Asks, and types each answer when its question is on the screen. */
async function typed<Value>(
  asking: (terminal: Terminal) => Promise<Value>,
  answers: readonly (readonly [question: string, keys: string])[],
) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 });
  const left = [...answers];
  let screen = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
    const [next] = left;
    if (next === undefined || !screen.includes(next[0])) return;
    left.shift();
    screen = '';
    void type(next[1]);
  });
  // One at a time: a question is drawn again after each.
  const type = async (keys: string): Promise<void> => {
    for (const key of keysOf(keys)) {
      await delay(2);
      input.write(key);
    }
  };
  const terminal = { input, output, signal: new AbortController().signal } as unknown as Terminal;
  const value = await asking(terminal);
  expect(left).toEqual([]);
  expect(input.listenerCount('keypress')).toBe(0);
  return value;
}

/** An arrow is one key. */
const keysOf = (text: string): readonly string[] =>
  text.split(new RegExp(`(${ESCAPE}\\[[A-D])|`)).filter((key) => key !== undefined && key !== '');

const PROPOSAL: Proposal = {
  source: 'docs',
  host: null,
  product: null,
  guided: null,
  language: 'en',
  workflows: ['nightly'],
  hosting: false,
  monitor: false,
  detected: { url: 'https://acme.github.io/handbook/', origin: 'remote', isGuess: true },
};

const ON_GITHUB = { repository: { root: '/', remote: { forge: 'github' } }, hosts: [] } as unknown as Project;
const AT_HOME = { repository: null, hosts: [] } as unknown as Project;

const en = initWords('en');

interface Asking {
  readonly known?: Known;
  readonly proposal?: Proposal;
  readonly project?: Project;
  readonly language?: Language;
}

const asked = (
  answers: readonly (readonly [string, string])[],
  { known = {}, proposal = PROPOSAL, project = ON_GITHUB, language = 'en' }: Asking = {},
) => typed((terminal) => ask(terminal, language, known, proposal, project), answers);

describe('the questions', () => {
  it('accept what is proposed', async () => {
    const answers = await asked([
      [en.askUrl, ENTER],
      [en.askHost, ENTER],
      [en.askWorkflows, ENTER],
      [en.askMonitor, ENTER],
    ]);
    expect(answers).toEqual({
      source: 'docs',
      host: null,
      product: null,
      guided: null,
      language: 'en',
      workflows: ['nightly'],
      hosting: false,
      monitor: false,
      url: 'https://acme.github.io/handbook/',
    });
  });

  it.each(LANGUAGES)('take other answers, in %s', async (language) => {
    const words = initWords(language);
    const answers = await asked(
      [
        [words.askUrl, `${CLEAR_LINE}https://docs.example.com${ENTER}`],
        [words.askHost, DOWN + ENTER],
        [words.askWorkflows, ` ${ENTER}`],
        [words.askHosting(words.hosts.server), 'y'],
        [words.askMonitor, 'y'],
      ],
      { language },
    );
    expect(answers).toMatchObject({
      url: 'https://docs.example.com/',
      host: 'server',
      language,
      workflows: ['nightly', 'pages'],
      hosting: true,
      monitor: true,
    });
  });

  it('are asked again where an answer is no address', async () => {
    const { url } = await asked(
      [
        [en.askUrl, `docs${ENTER}`],
        ['docs', `${CLEAR_LINE}https://reader:secret@docs.example.com${ENTER}`],
        ['password', `${CLEAR_LINE}https://docs.example.com/${ENTER}`],
      ],
      {
        known: { host: null, workflows: [], hosting: false, monitor: false },
        proposal: { ...PROPOSAL, host: 'worker', detected: null },
      },
    );
    expect(url).toBe('https://docs.example.com/');
  });

  it('are not asked where the command line has the answers', async () => {
    const known: Known = { url: 'https://a.example/', host: 'server', workflows: [], hosting: true, monitor: true };
    expect(await asked([], { known })).toMatchObject(known);
  });

  it('offer no workflows elsewhere than on GitHub, and none that cannot reach the site', async () => {
    const known: Known = { host: 'platform', hosting: false, monitor: false };
    expect(await asked([[en.askUrl, ENTER]], { known, project: AT_HOME })).toMatchObject({ workflows: [] });
    const answers = [
      [en.askUrl, `${CLEAR_LINE}http://127.0.0.1:8080/${ENTER}`],
      [en.askWorkflows, ENTER],
    ] as const;
    expect(await asked(answers, { known })).toMatchObject({ workflows: [] });
  });

  it('begin with the language', async () => {
    const message = 'Language?';
    expect(await typed((terminal) => askLanguage(terminal, message, 'en'), [[message, DOWN + DOWN + ENTER]])).toBe(
      'fr',
    );
    expect(await typed((terminal) => askLanguage(terminal, message, 'ro'), [[message, ENTER]])).toBe('ro');
  });

  it.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
    ['Escape', ESCAPE],
  ])('end with %s', async (_, key) => {
    await expect(typed((terminal) => askYes(terminal, en, 'Go on?', true), [['Go on?', key]])).rejects.toThrow(
      Cancelled,
    );
  });

  it('end with the input, and with the run', async () => {
    const ended = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    ended.destroy();
    const output = new PassThrough();
    const { signal } = new AbortController();
    const questionOn = (terminal: object): Promise<boolean> => askYes(terminal as Terminal, en, 'Go on?', true);
    await expect(questionOn({ input: ended, output, signal })).rejects.toThrow(Cancelled);
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    await expect(questionOn({ input, output, signal: AbortSignal.abort() })).rejects.toThrow(Cancelled);
    const closing = questionOn({ input, output, signal });
    setTimeout(() => input.end(), 20);
    await expect(closing).rejects.toThrow(Cancelled);
  });
});
