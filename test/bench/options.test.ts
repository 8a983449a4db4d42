import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isChosen, readOptions } from './options.ts';

const IDS = ['one-shot/curl', 'one-shot/linkinator', 'start/node'];

describe('the arguments', () => {
  it.each([
    ['a row', ['--only', 'start/node'], { only: ['start/node'] }],
    ['rows of a kind, and one', ['--only', 'one-shot,start/node'], { only: ['one-shot', 'start/node'] }],
    ['pairs', ['--runs', '3'], { pairs: 3 }],
    ['sites', ['--sites', '100'], { sites: 100 }],
    ['a folder', ['--peers', 'peers'], { peers: path.resolve('peers') }],
    ['nothing', [], { only: [], pairs: undefined, sites: 1000, short: false, write: false, help: false }],
  ])('may say %s', (_, args, wanted) => {
    expect(readOptions(args, IDS)).toMatchObject(wanted);
  });

  it.each([
    ['a row that is none', ['--only', 'one-shot/wget']],
    ['the begin of a name', ['--only', 'one']],
    ['no number', ['--runs', 'many']],
    ['no pair', ['--runs', '0']],
    ['half a site', ['--sites', '0.5']],
    ['an option that is none', ['--fast']],
    ['to write what was measured in short', ['--short', '--write']],
  ])('may not say %s', (_, args) => {
    expect(readOptions(args, IDS)).toHaveProperty('problem');
  });
});

describe('a row is chosen', () => {
  it.each([
    ['by its id', 'one-shot/curl', true],
    ['by its kind', 'one-shot', true],
    ['not by the begin of its kind', 'one', false],
    ['not by another', 'one-shot/curl-parallel', false],
  ])('%s', (_, wanted, chosen) => {
    expect(isChosen('one-shot/curl', wanted)).toBe(chosen);
  });
});
