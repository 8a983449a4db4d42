import { describe, expect, it } from 'vitest';
import { siteName, type DrillSource } from './drill.ts';

const repository = (address: string, name = address): DrillSource => ({
  kind: 'repository',
  name,
  address,
  prefix: '',
  uncommitted: 0,
});

describe('the name of a site', () => {
  it.each<[name: string, folder: string, source: DrillSource, site: string]>([
    ['a folder of the source', 'a/docs', repository('/srv/handbook'), 'a/docs'],
    ['a plain folder', '.', { ...repository('/srv/handbook', '.'), kind: 'folder' }, 'handbook'],
    ['a repository here', '.', repository('/srv/handbook', '../handbook'), 'handbook'],
    ['a bare repository', '.', repository('/srv/handbook.git', 'handbook.git'), 'handbook'],
    ['an address', '.', repository('https://git.example/a/handbook.git/'), 'handbook'],
    ['an address with a secret', '.', repository('https://u:secret@git.example', 'https://git.example'), 'git.example'],
    ['as ssh has it', '.', repository('git@git.example:handbook.git'), 'handbook'],
    ['the root of everything', '.', { ...repository('/'), kind: 'folder' }, '.'],
  ])('%s', (_, folder, source, site) => {
    expect(siteName(folder, source)).toBe(site);
  });
});
