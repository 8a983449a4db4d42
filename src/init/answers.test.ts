import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../options/arguments.ts';
import { answersOfFlags, answersWithoutTerminal, propose, siteUrlOf, type Known } from './answers.ts';
import type { DetectedHost, DetectedUrl, Project } from './detect.ts';
import type { InitFlags } from './options.ts';

const ON_GITHUB: Project = {
  folder: '/x',
  repository: { root: '/x', remote: { forge: 'github', host: 'github.com', path: 'o/r' }, branch: 'main' } as never,
  prefix: '',
  site: null,
  hosts: [],
  pagesJob: null,
  isPushedByHand: false,
  urls: [],
};

const served = (provider: string): Project => {
  const host: DetectedHost = { provider, kind: 'platform', file: 'x' };
  return { ...ON_GITHUB, hosts: [host] };
};

describe('the gate that is proposed', () => {
  it.each([
    { provider: 'GitHub Pages', gate: ['pages'] },
    { provider: 'Vercel', gate: ['deployment-status'] },
    // They report no deployment to GitHub, so that none would ever start a workflow.
    { provider: 'Netlify', gate: ['push'] },
    { provider: 'Cloudflare Pages', gate: ['push'] },
    { provider: 'Cloudflare Workers', gate: ['push'] },
    // A push does not bring these anywhere by itself.
    { provider: 'nginx', gate: [] },
    { provider: 'Firebase Hosting', gate: [] },
  ])('for $provider: $gate', ({ provider, gate }) => {
    expect(propose(served(provider), undefined, null, 'en').workflows).toEqual([...gate, 'nightly']);
  });
});

describe('the answers without a terminal', () => {
  const GUESS: DetectedUrl = { url: 'https://o.github.io/r/', origin: 'x', isGuess: true };
  const KNOWN: DetectedUrl = { url: 'https://docs.example.com/', origin: 'CNAME', isGuess: false };
  const SITE = { folder: 'docs', hasVersion: false } as unknown as Project['site'];

  function answers(project: Partial<Project>, known: Known = {}, flags: InitFlags = { yes: true }) {
    const whole = { ...ON_GITHUB, ...project };
    return answersWithoutTerminal(known, propose(whole, undefined, null, 'en'), whole, flags);
  }

  it('are what was detected, unless an option says otherwise', () => {
    expect(answers({ urls: [KNOWN], site: SITE })).toMatchObject({
      url: KNOWN.url,
      source: 'docs',
      workflows: ['nightly'],
      hosting: false,
    });
    expect(
      answers({ urls: [KNOWN] }, { url: 'https://other.example.com/', hosting: true, workflows: [] }),
    ).toMatchObject({
      url: 'https://other.example.com/',
      workflows: [],
      hosting: true,
    });
  });

  it.each<readonly [name: string, project: Partial<Project>, known: Known]>([
    ['there is a site', { site: SITE }, {}],
    ['a host was detected', { hosts: [{ provider: 'GitHub Pages', kind: 'server', file: 'x' }] }, {}],
    ['the folder of the site is named', {}, { source: 'docs' }],
  ])('have an address that is a guess if %s', (_, project, known) => {
    expect(answers({ urls: [GUESS], ...project }, known).url).toBe(GUESS.url);
  });

  it.each<readonly [name: string, project: Partial<Project>, known: Known]>([
    ['nothing else shows a site', { urls: [GUESS] }, {}],
    ['the site is on a platform', { urls: [GUESS], site: SITE }, { host: 'platform' }],
    ['the site is on a worker', { urls: [GUESS], site: SITE }, { host: 'worker' }],
    ['none was detected', { site: SITE }, {}],
  ])('need an address if %s', (_, project, known) => {
    expect(() => answers(project, known)).toThrow(UsageError);
  });

  it('have no workflow for an address that GitHub cannot reach, unless one is named', () => {
    const inside: DetectedUrl = { ...KNOWN, url: 'http://wiki.internal/' };
    expect(answers({ urls: [inside] }).workflows).toEqual([]);
    expect(answers({ urls: [inside] }, { workflows: ['push'] }).workflows).toEqual(['push']);
  });

  it('need --yes where an option is missing', () => {
    const all: Known = { url: KNOWN.url, workflows: [], hosting: false, language: 'en' };
    expect(answers({}, all, {}).url).toBe(KNOWN.url);
    for (const missing of ['url', 'workflows', 'hosting', 'language'] as const) {
      const { [missing]: _, ...rest } = all;
      expect(() => answers({ urls: [KNOWN] }, rest, {})).toThrow(UsageError);
    }
  });
});

describe('the proposal', () => {
  it('takes address, host and folder of the configuration', () => {
    const config = { url: 'https://docs.example.com/', source: 'public', host: 'worker' } as const;
    expect(propose({ ...ON_GITHUB }, config as never, 'docvitals.yaml', 'en')).toMatchObject({
      detected: { url: 'https://docs.example.com/', origin: 'docvitals.yaml', isGuess: false },
      source: 'public',
      host: 'worker',
    });
  });

  it.each([['https://u:p@docs.example.com/'], ['nonsense'], [undefined]])('takes no address of %s', (url) => {
    expect(propose(ON_GITHUB, { url } as never, 'docvitals.yaml', 'en').detected).toBeNull();
  });

  it.each(['main:docs', 'site.json'])('takes %s for no folder', (source) => {
    expect(propose(ON_GITHUB, { source } as never, 'docvitals.yaml', 'en').source).toBeNull();
  });

  it('writes no workflow that deploys what is deployed by hand', () => {
    const { hosts } = served('GitHub Pages');
    expect(propose({ ...ON_GITHUB, hosts, isPushedByHand: true }, undefined, null, 'en').workflows).toEqual([
      'nightly',
    ]);
    expect(propose({ ...ON_GITHUB, repository: null }, undefined, null, 'en').workflows).toEqual([]);
  });
});

it('refuses an address with a password', () => {
  expect(siteUrlOf('https://docs.example.com/guide')).toBe('https://docs.example.com/guide/');
  expect(() => siteUrlOf('https://u:p@docs.example.com/')).toThrow(UsageError);
  expect(() => siteUrlOf('docs')).toThrow(UsageError);
});

describe('the answers of options', () => {
  it('are those that are given, and no others', async () => {
    expect(await answersOfFlags({}, '/x')).toEqual({});
    const flags: InitFlags = {
      url: 'https://docs.example.com/guide',
      host: 'netlify',
      lang: 'fr',
      workflow: ['nightly', 'push'],
      hosting: false,
      monitor: true,
    };
    expect(await answersOfFlags(flags, '/x')).toEqual({
      url: 'https://docs.example.com/guide/',
      host: 'platform',
      product: 'netlify',
      guided: null,
      language: 'fr',
      workflows: ['push', 'nightly'],
      hosting: false,
      monitor: true,
    });
    expect(await answersOfFlags({ workflow: ['none'] }, '/x')).toEqual({ workflows: [] });
  });

  it('do not name a workflow and none', async () => {
    await expect(answersOfFlags({ workflow: ['none', 'push'] }, '/x')).rejects.toThrow(UsageError);
  });

  it('name a folder below that of the project', async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'docvitals-answers-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    const folder = path.join(parent, 'project');
    for (const name of ['project/..docs', 'project/site', 'other'])
      mkdirSync(path.join(parent, name), { recursive: true });
    symlinkSync('../other', path.join(folder, 'link'));
    expect(await answersOfFlags({ source: 'site/' }, folder)).toEqual({ source: 'site' });
    expect(await answersOfFlags({ source: '..docs' }, folder)).toEqual({ source: '..docs' });
    for (const source of ['..', '../other', 'link', 'gone']) {
      await expect(answersOfFlags({ source }, folder)).rejects.toThrow(UsageError);
    }
  });
});
