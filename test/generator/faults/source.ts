/** What is live against what lies in the source: a folder, or a Git repository with an older version in its history. */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openSource } from '../../../src/source/open.ts';
import { text, type Deployment } from '../deployment.ts';
import type { Random } from '../random.ts';
import { append, change, changeReply, edit, fault, plainPages, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { kinds: ['server', 'worker'], site: { languages: ['en'], pages: 8, depth: 2 } };

const folders = new WeakMap<Deployment, string>();

const OF_FOLDER: FaultOptions = {
  ...SMALL,
  wants: async (deployment) => ({ source: await openSource('.', folders.get(deployment) ?? '') }),
  clean: (deployment) => rmSync(folders.get(deployment) ?? '', { recursive: true, force: true }),
};
const OF_GIT: FaultOptions = {
  ...OF_FOLDER,
  wants: async (deployment) => ({ source: await openSource('HEAD', folders.get(deployment) ?? '') }),
};

/** Writes what is live at this moment into the folder of the source. */
function write(deployment: Deployment, files = deployment.files): string {
  const folder = folders.get(deployment) ?? mkdtempSync(join(tmpdir(), 'docvitals-source-'));
  folders.set(deployment, folder);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function git(folder: string, ...given: readonly string[]): void {
  const settings = ['user.name=Keeper', 'user.email=keeper@example.com', 'commit.gpgSign=false', 'core.autocrlf=false'];
  const { status, stderr } = spawnSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...given], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
  if (status !== 0) throw new Error(`git ${given.join(' ')}: ${stderr}`);
}

/** Commits what is live as an older version, and a newer one of every page after it. The newer one is live then. */
function commitTwice(deployment: Deployment): ReadonlyMap<string, string | Uint8Array> {
  const folder = write(deployment);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Older');
  const older = new Map(deployment.files);
  for (const { path } of deployment.site.pages) edit(deployment, path, /\.\n/, ', as it is since today.\n');
  write(deployment);
  git(folder, 'commit', '--quiet', '--all', '--message', 'Newer');
  return older;
}

/** The live site changes after it was written into the source. */
function drifted(name: string, codes: readonly string[], seed: (deployment: Deployment, drawn: Random) => void): Fault {
  return fault(
    name,
    codes.length === 0 ? {} : { source: codes },
    (deployment, drawn) => {
      write(deployment);
      seed(deployment, drawn);
    },
    OF_FOLDER,
  );
}

/** Some of what the older version had is live still. */
function stale(name: string, codes: readonly string[], isOlder: (path: string, at: number) => boolean): Fault {
  return fault(
    name,
    codes.length === 0 ? {} : { source: codes },
    (deployment) => {
      const older = commitTwice(deployment);
      for (const [at, { path }] of deployment.site.pages.entries()) {
        if (isOlder(path, at)) deployment.files.set(path, older.get(path) ?? '');
      }
    },
    OF_GIT,
  );
}

function eachPage(deployment: Deployment, changed: (page: string) => string): void {
  for (const { path } of deployment.site.pages) deployment.files.set(path, changed(text(deployment.files.get(path))));
}

/** A picture of the site, and what Git LFS keeps in its place. */
function picture({ files }: Deployment): { readonly path: string; readonly pointer: string } {
  const path = 'assets/diagram.svg';
  const content = Buffer.from(files.get(path) ?? '');
  const oid = createHash('sha256').update(content).digest('hex');
  return {
    path,
    pointer: `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`,
  };
}

export const SOURCE_FAULTS: readonly Fault[] = [
  drifted('a folder as it is live', [], () => {}),
  stale('a commit as it is live', [], () => false),
  stale('the commit before', ['stale'], () => true),
  stale('half of the commit before', ['mixed'], (_, at) => at % 2 === 0),
  drifted('an older page', ['differs'], (deployment, drawn) => {
    edit(deployment, drawn.pick(plainPages(deployment)).path, /\.\n/, ', as before!\n');
  }),
  drifted('two servers that were not deployed alike', ['alternates'], (deployment, drawn) => {
    const { path } = drawn.pick(plainPages(deployment));
    let turn = 0;
    changeReply(deployment, path, ({ body }) =>
      ++turn === 1 ? { body: Buffer.from(Buffer.from(body).toString('utf8').replace('.', '!')) } : {},
    );
  }),
  drifted('a page with something added', ['injected'], (deployment, drawn) => {
    append(deployment, drawn.pick(plainPages(deployment)).path, '<p>Sponsored</p>');
  }),
  fault(
    'a folder with changes that were not committed',
    { source: ['uncommitted'] },
    (deployment, drawn) => {
      const folder = write(deployment);
      git(folder, 'init', '--quiet');
      git(folder, 'add', '--all');
      git(folder, 'commit', '--quiet', '--message', 'As it is live');
      const { path } = drawn.pick(plainPages(deployment));
      writeFileSync(join(folder, path), `${text(deployment.files.get(path))}\nWritten, but not committed.\n`);
    },
    OF_FOLDER,
  ),
  drifted('a picture whose Git LFS pointer was deployed', ['lfs-pointer'], (deployment) => {
    const { path, pointer } = picture(deployment);
    deployment.files.set(path, pointer);
  }),
  drifted('a picture that Git LFS keeps', [], (deployment) => {
    const { path, pointer } = picture(deployment);
    writeFileSync(join(folders.get(deployment) ?? '', path), pointer);
  }),
  drifted('an older picture', ['differs'], (deployment) => {
    edit(deployment, 'assets/diagram.svg', '<svg ', '<SVG ');
  }),
  drifted('another configuration', ['differs'], (deployment) => {
    edit(deployment, 'config.json', '"Search"', '"Find"');
  }),
  drifted('a page that was not deployed', ['not-live'], (deployment) => {
    // Nobody links to it: only the source knows.
    const path = join(folders.get(deployment) ?? '', 'zz-new.md');
    writeFileSync(path, `# New\n\n${'Written today. '.repeat(70)}\n`);
  }),
  drifted('a page that is not in the source', ['gone'], (deployment, drawn) => {
    append(deployment, drawn.pick(plainPages(deployment)).path, '[Old](#/zz-old.md)');
    write(deployment);
    deployment.files.set('zz-old.md', `# Old\n\n${'Written long ago. '.repeat(70)}\n`);
  }),
  drifted('other line ends', [], (deployment) => eachPage(deployment, (page) => page.replaceAll('\n', '\r\n'))),
  drifted('a script of an analyst in the bundle', [], (deployment) => {
    change(deployment, {
      change: (_request, reply) =>
        String(reply.headers['content-type']).startsWith('text/html')
          ? {
              ...reply,
              body: Buffer.from(
                Buffer.from(reply.body).toString('utf8').replace('</body>', '<script>1</script></body>'),
              ),
            }
          : reply,
    });
  }),
  drifted('files that are never deployed', [], (deployment) => {
    const folder = folders.get(deployment) ?? '';
    writeFileSync(join(folder, '.gitignore'), 'drafts/\n');
    mkdirSync(join(folder, 'drafts'));
    mkdirSync(join(folder, '.github'));
    writeFileSync(join(folder, 'drafts', 'idea.md'), '# Idea\n');
    writeFileSync(join(folder, '.github', 'CONTRIBUTING.md'), '# Contributing\n');
    writeFileSync(join(folder, 'package.json'), '{}\n');
  }),
];
