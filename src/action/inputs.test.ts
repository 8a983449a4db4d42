import { describe, expect, it } from 'vitest';
import { UsageError } from '../options/arguments.ts';
import { InputError, inInputs, readInputs, type Inputs } from './inputs.ts';
import { messagesIn } from '../locales/messages.ts';
import { actionWords } from '../generated/locales/action.ts';

type Given = Readonly<Record<string, string>>;

/** As the runner hands them over. */
const read = (given: Given): Inputs =>
  readInputs(Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])));

describe('inputs', () => {
  it('that are all empty', () => {
    expect(read({ url: '', full: '', 'fail-on': '', issue: ' ' })).toEqual({
      url: undefined,
      flags: { format: 'pretty', color: false },
      expectVersion: undefined,
      failOn: 'fail',
      reportDir: undefined,
      artifact: undefined,
      summary: true,
      annotations: true,
      comment: false,
      issue: null,
      token: undefined,
    });
  });

  it.each([
    { given: { full: 'true', strict: 'False' }, flags: { full: true, strict: false } },
    {
      given: { only: 'bundle,config\nhome', skip: ' links ' },
      flags: { only: ['bundle', 'config', 'home'], skip: ['links'] },
    },
    { given: { wait: '10m', stable: '3' }, flags: { wait: 600_000, stable: 3 } },
    {
      given: { source: 'HEAD:docs', config: 'x.yaml', lang: 'fr', host: 'worker' },
      flags: { source: 'HEAD:docs', config: 'x.yaml', lang: 'fr', host: 'worker' },
    },
    { given: { headers: 'X-A: b: c\r\n\n  X-D: e\n' }, flags: { header: { 'X-A': 'b: c', 'X-D': 'e' } } },
    { given: { since: 'now' }, flags: { since: 'now' } },
  ])('$given', ({ given, flags }) => {
    expect(read(given as Given).flags).toEqual({ format: 'pretty', color: false, ...flags });
  });

  it.each([
    ['true', 'docvitals'],
    ['TRUE', 'docvitals'],
    ['false', null],
    ['docs: down', 'docs: down'],
  ])('issue %j', (issue, label) => {
    expect(read({ issue }).issue).toBe(label);
  });

  it.each([
    ['true', 'docvitals'],
    ['False', null],
    ['', undefined],
    ['reports of main', 'reports of main'],
  ])('artifact %j', (artifact, name) => {
    expect(read({ artifact }).artifact).toBe(name);
  });

  it.each(['none', '3f2a91c', 'v1.4.0'])('expect-version %j', (text) => {
    expect(read({ 'expect-version': text }).expectVersion).toBe(text);
  });
});

describe('mistakes name the input, not the option of the command line', () => {
  it.each<readonly [name: string, given: Given]>([
    ['full', { full: 'yes' }],
    ['strict', { strict: 'tRUE' }],
    ['summary', { summary: 'on' }],
    ['annotations', { annotations: '0' }],
    ['comment', { comment: '1' }],
    ['only', { only: ', ,' }],
    ['wait', { wait: '5' }],
    ['wait', { wait: '5 weeks' }],
    ['stable', { stable: '0' }],
    ['host', { host: 'gopher' }],
    ['lang', { lang: 'de' }],
    ['fail-on', { 'fail-on': 'error' }],
    ['headers', { headers: 'X-A: b\nnone' }],
    ['headers', { headers: 'Content-Length: 5' }],
    ['headers', { headers: 'X-Token: one\nx-token: two' }],
    ['url', { url: 'https://a.test/\nhttps://b.test/' }],
    ['issue', { issue: 'a,b' }],
    ['issue', { issue: 'x'.repeat(51) }],
    ['artifact', { artifact: 'https://docs.example.com/' }],
    ['artifact', { artifact: String.raw`a\b` }],
    ['artifact', { artifact: 'x'.repeat(256) }],
    ['expect-version', { 'expect-version': 'a b' }],
    ['version-from', { 'version-from': 'a#(' }],
    ['since', { since: 'yesterday' }],
  ])('%s: %j', (name, given) => {
    const reported = messageOf(() => read(given));
    expect(reported.startsWith(`${name}: `) || reported.startsWith(`${name} `)).toBe(true);
    expect(reported).not.toMatch(/--[a-z]/);
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error.report(actionWords('en'));
    if (error instanceof UsageError) return inInputs(error.report(messagesIn('en')));
    throw error;
  }
  return '';
}

it.each([
  ['--only: unknown check x', 'only: unknown check x'],
  ["--header: expected 'Name: value'.", "headers: expected 'Name: value'."],
  ['--stable means something with --wait only.', 'stable means something with wait only.'],
  ['a--only --only-x --verbose', 'a--only --only-x --verbose'],
])('%j becomes %j', (reported, expected) => {
  expect(inInputs(reported)).toBe(expected);
});
