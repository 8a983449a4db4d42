/** What people would use instead, for a whole site. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Scene } from '../scene/host.ts';
import type { Checker } from './checker.ts';

/**
 * In the folder of the site's sources, which it serves to itself and renders: the one way in which it reads Markdown. It
 * looks for files that are missing, not for headings (`--check-fragments`), which `docvitals --full` does besides.
 */
export const linkinatorTree = (pages: number): Checker => ({
  name: 'linkinator --recurse --markdown',
  needs: ['linkinator'],
  looksAt: 'tree',
  claims: ['page-missing'],
  command: ({ scene, peer }) => ({
    argv: [...peer('linkinator').argv, '**/*.md', '--recurse', '--markdown'],
    cwd: scene.root,
  }),
  shirked(output) {
    const looked = Number(/scanned (\d+) links/.exec(output)?.[1] ?? 0);
    return looked < pages ? `only ${looked} of ${pages} pages were looked at` : undefined;
  },
});

/** The same files, fetched and thrown away, six at once. */
export const curlTree: Checker = {
  name: 'curl, six at once',
  needs: ['curl'],
  looksAt: 'tree',
  claims: [],
  command({ scene, peer, folder }) {
    const list = path.join(folder, 'urls.txt');
    writeFileSync(list, urlsOf(scene));
    return {
      argv: [...peer('curl').argv, '--silent', '--parallel', '--parallel-max', '6', '--config', list],
      env: peer('curl').env,
    };
  },
};

/** The same, compressed as docvitals asks for them. */
export const curlTreeCompressed: Checker = {
  ...curlTree,
  name: 'curl --compressed, six at once',
  command(at) {
    const { argv, ...rest } = curlTree.command(at);
    return { ...rest, argv: [...argv, '--compressed'] };
  },
};

function urlsOf({ root, url }: Scene): string {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
  return names.map((name) => `url = "${url}${name.replaceAll(path.sep, '/')}"\noutput = "/dev/null"\n`).join('');
}
