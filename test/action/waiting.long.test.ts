/** The built Action waiting for a new version, on a real nginx whose content switches meanwhile. */
import { chmodSync, cpSync, readFileSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nginxWanted, startNginx, type Nginx } from '../hosts/nginx.ts';
import { startAction, type ActionResult } from './run.ts';
import { repositoryOf, smallSite, temporary, writeFiles, type Files } from './workspace.ts';

const OLD = smallSite('one');
const NEW = smallSite('the second');
const COMMIT = 'ffac537e6cbbf934b08745a378932722df287a53';
const HEAD = '7c1e0b3f5a9d2468ace013579bdf02468ace1357';
const BEFORE = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const TOLD: Files = { 'version.json': JSON.stringify({ commit: COMMIT }) };

/**
 * Where a file `turns` lies in the root, every second request of a connection is answered from the folder `next`, and of
 * every second connection it is the first. What is answered from where is reported by the number of lines in a log for each.
 */
const turns = (folder: string): string => `
    set $turn "off";
    if (-f $document_root/turns) { set $turn "on"; }
    set $number "$connection-$connection_requests";
    if ($number ~ "[02468]-\\d*[02468]$|[13579]-\\d*[13579]$") { set $turn "$turn-next"; }
    set $from_old 0;
    set $from_next 0;
    if ($turn = "on") { set $from_old 1; }
    if ($turn = "on-next") { set $from_next 1; }
    access_log ${folder}/all.log combined;
    access_log ${folder}/from-old.log combined if=$from_old;
    access_log ${folder}/from-next.log combined if=$from_next;
    if ($turn = "on-next") { rewrite ^/(.*)$ /next/$1; }
`;

/** How many requests have been answered: in all, and while old and new took turns, from which of them. */
type Answered = Readonly<Record<'all' | 'from-old' | 'from-next', number>>;

/** What a deployment goes through, one after another. */
type Stage = 'old' | 'turns' | 'new';

class Deployment {
  readonly #folder = temporary('deployment');
  readonly #timers: NodeJS.Timeout[] = [];
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
    this.nginx = await startNginx(path.join(this.#folder, 'live'), { configuration: turns(this.#folder) });
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

  get answered(): Answered {
    const lines = (name: string): number =>
      readFileSync(path.join(this.#folder, `${name}.log`), 'utf8').split('\n').length - 1;
    return { all: lines('all'), 'from-old': lines('from-old'), 'from-next': lines('from-next') };
  }

  /** Shows a stage so many milliseconds after the first sign that the Action runs. */
  after(ms: number, stage: Stage): () => void {
    return () => void setTimeout(() => this.show(stage), ms);
  }

  /** Shows what comes next as soon as enough of what there is has been requested: the old, then both in turn. */
  inTurn(): () => void {
    const isEnough = ({ all, ...both }: Answered): boolean =>
      this.shown === 'old' ? all >= 2 : both['from-old'] >= 1 && both['from-next'] >= 1;
    return () => {
      const timer = setInterval(() => {
        if (!isEnough(this.answered)) return;
        if (this.shown === 'turns') clearInterval(timer);
        this.show(this.shown === 'old' ? 'turns' : 'new');
      }, 20);
      timer.unref();
      this.#timers.push(timer);
    };
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.nginx?.stop();
  }
}

let deployment: Deployment | undefined;
afterEach(() => deployment?.stop());

const deploy = (old: Files, young: Files): Deployment => (deployment = new Deployment(old, young));

const seen = ({ status, outputs }: ActionResult): unknown => ({
  status,
  verdict: outputs['verdict'],
  fresh: outputs['fresh'],
});
const FRESH = { status: 0, verdict: 'healthy', fresh: 'true' };

/** Both versions were seen in turn, and the new one alone at the end. */
function demandTurns({ answered, shown }: Deployment): void {
  expect(shown).toBe('new');
  expect(Math.min(answered['from-old'], answered['from-next'])).toBeGreaterThan(0);
  expect(answered.all).toBeGreaterThan(answered['from-old'] + answered['from-next']);
}

describe.runIf(nginxWanted())('waiting for a deployment', () => {
  it('by the source: old, then old and new in turn, then new', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '25s', source: 'docs', full: 'true', skip: 'compression, caching' };
    const result = await startAction({ inputs, workspace: folder, onStart: live.inTurn() });
    expect(seen(result)).toEqual(FRESH);
    demandTurns(live);
    expect(Number(result.outputs['live-after-ms'])).toBeGreaterThan(0);
    expect(result.report()).toMatchObject({ waited: { by: 'source' } });
  });

  it('by the commit, which the site reports in version.json', async () => {
    const version = (commit: string): Files => ({ 'version.json': JSON.stringify({ commit }) });
    const live = deploy({ ...OLD, ...version(BEFORE) }, { ...NEW, ...version(COMMIT) });
    const inputs = { url: await live.serve(), wait: '25s' };
    const result = await startAction({ inputs, onStart: live.inTurn() });
    expect(seen(result)).toEqual(FRESH);
    demandTurns(live);
    expect(result.report()).toMatchObject({ waited: { by: 'version' } });
  });

  it.each([
    { event: 'schedule', expected: { ...FRESH, fresh: '' }, by: 'health' },
    { event: 'workflow_dispatch', expected: { ...FRESH, fresh: '' }, by: 'health' },
    { event: 'push', expected: { status: 1, verdict: 'stale', fresh: 'false' }, by: 'version' },
  ])('for the commit of $event, while another one is live: $expected.verdict', async ({ event, expected, by }) => {
    const live = deploy({ ...OLD, 'version.json': JSON.stringify({ commit: BEFORE }) }, NEW);
    const inputs = { url: await live.serve(), wait: '2s' };
    const result = await startAction({ inputs, env: { GITHUB_EVENT_NAME: event } });
    expect(seen(result)).toEqual(expected);
    expect(result.report()).toMatchObject({ waited: { by } });
  });

  it.each([
    { deployed: 'the newest commit of the branch', commit: HEAD, expected: FRESH },
    { deployed: 'the commit that merges it', commit: COMMIT, expected: FRESH },
    { deployed: 'another commit', commit: BEFORE, expected: { status: 1, verdict: 'stale', fresh: 'false' } },
  ])('for a pull request of which $deployed is deployed: $expected.verdict', async ({ commit, expected }) => {
    const live = deploy({ ...OLD, 'version.json': JSON.stringify({ commit }) }, NEW);
    const inputs = { url: await live.serve(), wait: '2s' };
    const event = { pull_request: { number: 12, head: { sha: HEAD } } };
    const result = await startAction({ inputs, event, env: { GITHUB_EVENT_NAME: 'pull_request' } });
    expect(seen(result)).toEqual(expected);
  });

  it('by what the page has when the waiting begins', async () => {
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '20s', since: 'now' };
    // Once it is known what the page has: the first line that shows what is waited for.
    let told = false;
    const result = await startAction({
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

  it('that does not report its version: until it is healthy', async () => {
    const { 'index.md': _, ...broken } = OLD;
    const live = deploy(broken, NEW);
    const inputs = { url: await live.serve(), wait: '20s' };
    const result = await startAction({ inputs, onStart: live.after(1000, 'new') });
    expect(seen(result)).toEqual({ ...FRESH, fresh: '' });
    expect(result.report()).toMatchObject({ waited: { by: 'health' } });
  });

  it.each<{ name: string; site: Files; inputs: Readonly<Record<string, string>>; event: string; notices: number }>([
    { name: 'a commit that the site does not tell', site: OLD, inputs: {}, event: 'push', notices: 1 },
    { name: 'a commit that it tells', site: { ...OLD, ...TOLD }, inputs: {}, event: 'push', notices: 0 },
    { name: 'no version at all', site: OLD, inputs: { 'expect-version': 'none' }, event: 'push', notices: 0 },
    { name: 'no deployment', site: OLD, inputs: {}, event: 'schedule', notices: 0 },
    { name: 'a source', site: OLD, inputs: { source: 'docs' }, event: 'push', notices: 0 },
    { name: 'nothing: it looks once', site: OLD, inputs: { wait: '' }, event: 'push', notices: 0 },
  ])('for $name on $event: $notices notices', async ({ site, inputs, event, notices }) => {
    const { folder } = repositoryOf([OLD]);
    const live = deploy(site, NEW);
    const given = { url: await live.serve(), wait: '20s', ...inputs };
    const result = await startAction({ inputs: given, workspace: folder, env: { GITHUB_EVENT_NAME: event } });
    expect([result.status, result.outputs['verdict']]).toEqual([0, 'healthy']);
    const told = result.commands.filter(({ name }) => name === 'notice');
    expect(told).toHaveLength(notices);
    expect(result.summary.includes('`version.json`')).toBe(notices > 0);
  });

  it('that never comes: stale, with annotations on what differs in the repository', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '2s', source: 'HEAD:docs' };
    const result = await startAction({ inputs, workspace: folder });
    expect(seen(result)).toEqual({ status: 1, verdict: 'stale', fresh: 'false' });
    expect([result.outputs['failed'], result.outputs['live-after-ms']]).toEqual(['source', '']);
    expect(result.outputs['summary']).not.toContain('config.json');
    expect(result.errors.map(({ properties }) => properties)).toEqual([
      expect.objectContaining({ file: 'docs/config.json', line: '2' }),
    ]);
  });

  it('that is cancelled: reports what is known, and leaves at once', async () => {
    const { folder } = repositoryOf([OLD, NEW]);
    const live = deploy(OLD, NEW);
    const inputs = { url: await live.serve(), wait: '5m', source: 'docs', comment: 'true', issue: 'true' };
    let cancelled = 0;
    const result = await startAction({
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
    expect(seen(result)).toEqual({ status: 130, verdict: 'unknown', fresh: 'false' });
    // Words of our own: what is old is named as the site names it.
    expect(result.outputs['summary']).not.toContain('config.json');
    expect(result.report()).toMatchObject({ interrupted: true });
    expect(result.summary).not.toBe('');
    // GitHub was not requested anything.
    expect(result.warnings.filter(({ properties }) => properties['title'] === 'docvitals')).toEqual([]);
  });
});
