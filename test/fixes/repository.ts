/** A Git repository that a site is deployed from. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Files = ReadonlyMap<string, string | Uint8Array>;

/** Git without what the machine's own configuration adds. */
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_AUTHOR_NAME: 'Author',
  GIT_AUTHOR_EMAIL: 'author@example.com',
  GIT_COMMITTER_NAME: 'Author',
  GIT_COMMITTER_EMAIL: 'author@example.com',
};

export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'docvitals-source-'));
  readonly #files = new Map<string, string | Uint8Array>();

  /** With one commit. */
  constructor(files: Files) {
    this.git('init', '-q');
    for (const [path, body] of files) this.write(path, body);
    this.commit();
  }

  /** The files of the working tree. */
  get files(): Files {
    return this.#files;
  }

  write(path: string, body: string | Uint8Array): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
    this.#files.set(path, body);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path));
    this.#files.delete(path);
  }

  /** Commits everything; gives the new commit. */
  commit(): string {
    this.git('add', '--all');
    this.git('commit', '-q', '-m', 'A change');
    return this.git('rev-parse', 'HEAD').trim();
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.folder, encoding: 'utf8', env: ENV });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  delete(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
