import { describe, expect, it } from 'vitest';
import { pagesUrl, parseRemote } from './detect.ts';

const github = { forge: 'github', host: 'github.com', owner: 'acme', name: 'handbook' };

describe('parseRemote', () => {
  it.each([
    ['https://github.com/acme/handbook.git', github],
    ['https://github.com/acme/handbook', github],
    ['https://github.com/acme/handbook/', github],
    ['https://token:x-oauth@github.com/acme/handbook.git', github],
    ['git@github.com:acme/handbook.git', github],
    ['git@GitHub.com:/acme/handbook.git', github],
    ['ssh://git@github.com/acme/handbook.git', github],
    ['ssh://git@ssh.github.com:443/acme/handbook.git', { ...github, host: 'ssh.github.com' }],
    ['git://github.com/acme/handbook.git', github],
    ['github-work:acme/handbook.git', { ...github, host: 'github-work' }],
    ['https://github.example.com/acme/handbook', { ...github, host: 'github.example.com' }],
    ['git@gitlab.com:group/sub/docs.git', { forge: 'gitlab', host: 'gitlab.com', owner: 'group/sub', name: 'docs' }],
    ['https://codeberg.org/acme/docs.git', { forge: 'other', host: 'codeberg.org', owner: 'acme', name: 'docs' }],
    ['https://github.com/acme/acme.github.io.git', { ...github, name: 'acme.github.io' }],
  ])('%s', (url, remote) => {
    expect(parseRemote(url)).toEqual(remote);
  });

  it.each(['', '/srv/git/docs.git', '../docs.git', 'C:\\git\\docs', 'C:/git/docs', 'file:///srv/git/docs', 'docs'])(
    'leads nowhere: %s',
    (url) => {
      expect(parseRemote(url)).toBeNull();
    },
  );

  it.each(['https://github.com/acme', 'https://github.com/', 'git@github.com:docs.git', 'https://github.com/a b/c'])(
    'names no repository: %s',
    (url) => {
      expect(parseRemote(url)).toBeNull();
    },
  );
});

describe('pagesUrl', () => {
  it.each([
    ['git@github.com:Acme/Handbook.git', 'https://acme.github.io/Handbook/'],
    ['https://github.com/acme/acme.github.io', 'https://acme.github.io/'],
    ['https://github.com/Acme/Acme.github.io', 'https://acme.github.io/'],
    ['ssh://git@ssh.github.com:443/acme/handbook', 'https://acme.github.io/handbook/'],
    ['github-work:acme/handbook', 'https://acme.github.io/handbook/'],
    ['https://gitlab.com/acme/handbook', 'https://acme.gitlab.io/handbook/'],
    ['https://gitlab.com/group/sub/docs', 'https://group.gitlab.io/sub/docs/'],
    ['https://gitlab.com/acme/acme.gitlab.io', 'https://acme.gitlab.io/'],
    ['https://github.example.com/acme/handbook', null],
    ['https://codeberg.org/acme/handbook', null],
  ])('%s → %s', (url, pages) => {
    const remote = parseRemote(url);
    expect(remote === null ? 'no remote' : pagesUrl(remote)).toBe(pages);
  });
});
