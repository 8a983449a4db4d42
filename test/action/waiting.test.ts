/** The built Action waiting for a new version, on a real nginx whose content switches meanwhile. */
import { chmodSync, cpSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nginxWanted, startNginx, type Nginx } from '../hosts/nginx.ts';
import { runAction, type ActionResult } from './run.ts';
import { repositoryOf, smallSite, temporary, writeFiles, type Files } from './workspace.ts';

const OLD = smallSite('one');
const NEW = smallSite('the second');
const COMMIT = 'ffac537e6cbbf934b08745a378932722df287a53';
const BEFORE = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';

/** Where a file `turns` lies in the root, about every second request is answered from the folder `next`. */
const TURNS = `
    set $turn "";
    if (-f $document_root/turns) { set $turn "on"; }
    if ($request_id ~ "^[0-7]") { set $turn "$turn-next"; }
    if ($turn = "on-next") { rewrite ^/(.*)$ /next/$1; }
`;

/** What a deployment goes through, one after another. */
type Stage = 'old' | 'turns' | 'new';

class Deployment {
  readonly #folder = temporary('deployment');
  nginx: Nginx | undefined;

  constructor(old: Files, young: Files) {
    // Its workers are somebody else where the tests run as root.
    chmodSync(this.#folder, 0o755);
    writeFiles(path.join(this.#folder, 'old'), old);
    writeFiles(path.join(this.#folder, 'new'), young);
    writeFiles(path.join(this.#folder, 'turns'), { ...old, turns: '' });
    cpSync(path.join(this.#folder, 'new'), path.join(this.#folder, 'turns/next'), { recursive: true });
    this.show('old');
  }

  async serve(): Promise<string> {
    this.nginx = await startNginx(path.join(this.#folder, 'live'), { configuration: TURNS });
    return this.nginx.url;
  }

  /** All at once, as deployments do it. */
  show(stage: Stage): void {
    symlinkSync(path.join(this.#folder, stage), path.join(this.#folder, 'next'));
    renameSync(path.join(this.#folder, 'next'), path.join(this.#folder, 'live'));
  }

  get shown(): string {
    return path.basename(readlinkSync(path.join(this.#folder, 'live')));
  }

  /** Shows what comes next so many milliseconds after the first sign that the Action runs. */
  after(ms: number, ...stages: readonly Stage[]): () => void {
    return () => stages.forEach((stage, index) => void setTimeout(() => this.show(stage), ms * (index + 1)));
  }
}

let deployment: Deployment | undefined;
afterEach(async () => deployment?.nginx?.stop());

const deploy = (old: Files, young: Files): Deployment => (deployment = new Deployment(old, young));

const seen = ({ status, outputs }: ActionResult): unknown => ({
  status,
  verdict: outputs['verdict'],
  fresh: outputs['fresh'],
});
const FRESH = { status: 0, verdict: 'healthy', fresh: 'true' };

describe.runIf(nginxWanted())('waiting for a deployment', () => {
  it('by the source: old, then old and new in turn, then new', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '20s', source: 'docs', full: 'true', skip: 'compression, caching' };
    const result = await runAction({ inputs, workspace: folder, onStart: live.after(1200, 'turns', 'new') });
    expect(seen(result)).toEqual(FRESH);
    expect(live.shown).toBe('new');
    expect(Number(result.outputs['live-after-ms'])).toBeGreaterThan(0);
    expect(result.report()).toMatchObject({ waited: { by: 'source' } });
  });

  it('by the commit, which the site tells in version.json', async () => {
    const version = (commit: string): Files => ({ 'version.json': JSON.stringify({ commit }) });
    const live = deploy({ ...OLD, ...version(BEFORE) }, { ...NEW, ...version(COMMIT) });
    const inputs = { url: await live.serve(), wait: '20s' };
    const result = await runAction({ inputs, onStart: live.after(1200, 'turns', 'new') });
    expect(seen(result)).toEqual(FRESH);
    expect(live.shown).toBe('new');
    expect(result.report()).toMatchObject({ waited: { by: 'version' } });
  });

  it('by what the page has when the waiting begins', async () => {
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '20s', since: 'now' };
    // Once it is known what the page has: the first line that tells what is waited for.
    let told = false;
    const result = await runAction({
      inputs,
      onOutput: (output) => {
        if (told || output.split('\n').length < 3) return;
        told = true;
        live.show('new');
      },
    });
    expect(seen(result)).toEqual(FRESH);
    expect(live.shown).toBe('new');
  });

  it('that does not tell its version: until it is well', async () => {
    const { 'index.md': _, ...broken } = OLD;
    const live = deploy(broken, NEW);
    const inputs = { url: await live.serve(), wait: '20s' };
    const result = await runAction({ inputs, onStart: live.after(1000, 'new') });
    expect(seen(result)).toEqual({ ...FRESH, fresh: '' });
    expect(result.report()).toMatchObject({ waited: { by: 'health' } });
  });

  it('that never comes: stale, with annotations on what differs in the repository', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '2s', source: 'HEAD:docs' };
    const result = await runAction({ inputs, workspace: folder });
    expect(seen(result)).toEqual({ status: 1, verdict: 'stale', fresh: 'false' });
    expect([result.outputs['failed'], result.outputs['live-after-ms']]).toEqual(['source', '']);
    expect(result.errors.map(({ properties }) => properties)).toEqual([
      expect.objectContaining({ file: 'docs/config.json', line: '2' }),
    ]);
  });

  it('that is cancelled: tells what is known, and leaves at once', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '5m', source: 'docs', comment: 'true', issue: 'true' };
    let cancelled = 0;
    const result = await runAction({
      inputs,
      workspace: folder,
      onOutput: (output, child) => {
        if (cancelled > 0 || output.split('\n').length < 3) return;
        cancelled = performance.now();
        child.kill('SIGINT');
      },
    });
    // The runner would send SIGTERM then.
    expect(performance.now() - cancelled).toBeLessThan(7000);
    expect(seen(result)).toEqual({ status: 130, verdict: 'stale', fresh: 'false' });
    expect(result.report()).toMatchObject({ interrupted: true });
    expect(result.summary).not.toBe('');
    // GitHub was not asked for anything.
    expect(result.warnings.filter(({ properties }) => properties['title'] === 'docvitals')).toEqual([]);
  });
});
