/** A conversation with `docvitals init` on a terminal: its questions, and the keys that end it. */
import { expect } from 'vitest';
import { initWords } from '../../src/generated/locales/init.ts';
import { onTerminal, type Session, type Step } from '../cli/pty.ts';
import { makeProject, snapshot } from './project.ts';

export const ENTER = '\r';
export const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ESCAPE = '\u001b';
/** What shows the cursor, and what hides it. */
const SHOWN = '\u001b[?25h';
const HIDDEN = '\u001b[?25l';

export const GITHUB = 'https://github.com/acme/handbook.git';
export const SITE = { 'docs/README.md': '# Docs\n', 'docs/index.html': '<script src="docsify.js"></script>' };

export const en = initWords('en');

/** The questions of a project on GitHub whose host is not known, in their order, each with what takes its default. */
export const DEFAULTS: readonly Step[] = [
  { when: en.askLanguage, press: ENTER },
  { when: en.askUrl, press: ENTER },
  { when: en.askHost, press: ENTER },
  { when: en.askWorkflows, press: ENTER },
  { when: en.askMonitor, press: ENTER },
  { when: en.askWrite, press: ENTER },
];

export const converse = (args: readonly string[], cwd: string, steps: readonly Step[]): Promise<Session> =>
  onTerminal(args, { cwd, steps });

/** Each key that ends, at each question. */
export const ENDS = DEFAULTS.flatMap((step, index) =>
  [
    { key: 'Ctrl-C', press: CTRL_C },
    { key: 'Ctrl-D', press: CTRL_D },
    // The letter is no end, and does not keep the end away.
    { key: 'Ctrl-D after a letter', press: `d${CTRL_D}` },
    { key: 'Escape', press: ESCAPE },
    { key: 'SIGTERM', press: ENTER, kill: true },
  ].map(({ key, ...end }) => ({
    name: `${key} at “${step.when}”`,
    steps: [...DEFAULTS.slice(0, index), { when: step.when, ...end }],
    exit: key === 'SIGTERM' ? 143 : 130,
  })),
);

/** That end is reported, and nothing is written. */
export async function expectEnd({ steps, exit }: (typeof ENDS)[number]): Promise<void> {
  const folder = makeProject({ remote: GITHUB, files: SITE });
  const before = snapshot(folder);
  const { status, left, text } = await converse(['init'], folder, steps);
  expect({ status, left, files: snapshot(folder) }).toEqual({ status: exit, left: 0, files: before });
  expect(text).toContain(en.cancelled);
  // The cursor that the prompts hide is shown again.
  expect(text.lastIndexOf(SHOWN)).toBeGreaterThan(text.lastIndexOf(HIDDEN));
}
