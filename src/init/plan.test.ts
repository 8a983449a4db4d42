import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { initWords } from '../generated/locales/init.ts';
import { UsageError } from '../options/arguments.ts';
import type { Answers } from './answers.ts';
import type { DetectedHost, Project } from './detect.ts';
import { compareFiles, CONFIG, hostingOffer, makePlan, writeFiles, type Plan } from './plan.ts';

/** A name that a file can have, and its temporary file beside it cannot: what fails only when it is written. */
const TOO_LONG = 'x'.repeat(250);

const makeRoot = (): string => mkdtempSync(path.join(tmpdir(), 'docvitals-write-'));
const planOf = (root: string, files: Readonly<Record<string, string>>): Plan => ({
  root,
  files: Object.entries(files).map(([file, text]) => ({ file, text })),
  notes: [],
});

describe('writeFiles', () => {
  it('writes all files, and the folders that they need', async () => {
    const root = makeRoot();
    const plan = planOf(root, { 'a/b/c.txt': 'c', 'd.txt': 'd' });
    await writeFiles(plan, await compareFiles(plan, false));
    expect([path.join(root, 'a/b/c.txt'), path.join(root, 'd.txt')].map((file) => readFileSync(file, 'utf8'))).toEqual([
      'c',
      'd',
    ]);
  });

  it.skipIf(process.platform === 'win32')('names the file that cannot be written', async () => {
    const root = makeRoot();
    const plan = planOf(root, { 'new.txt': 'new', [TOO_LONG]: 'x' });
    await expect(writeFiles(plan, await compareFiles(plan, true))).rejects.toMatchObject({
      name: 'Error',
      file: path.join(root, TOO_LONG),
    });
    const again = await compareFiles(plan, false);
    expect(again.map(({ state }) => state)).toEqual(['unchanged', 'new']);
  });
});

describe('compareFiles', () => {
  it('reports what becomes of each', async () => {
    const root = makeRoot();
    writeFileSync(path.join(root, 'same.txt'), 'same\r\n');
    writeFileSync(path.join(root, 'other.txt'), 'other\n');
    mkdirSync(path.join(root, 'folder'));
    const plan = planOf(root, { 'same.txt': 'same\n', 'other.txt': 'mine\n', folder: 'x', 'new.txt': 'x' });
    const states = async (force: boolean) => (await compareFiles(plan, force)).map(({ state }) => state);
    expect(await states(false)).toEqual(['unchanged', 'exists', 'exists', 'new']);
    expect(await states(true)).toEqual(['unchanged', 'replaced', 'replaced', 'new']);
  });
});

describe('hostingOffer', () => {
  const vercel = { provider: 'Vercel', kind: 'platform', file: 'site/vercel.json' } as const;
  const netlify = { provider: 'Netlify', kind: 'platform', file: 'out/_redirects' } as const;
  const firebase = { provider: 'Firebase Hosting', kind: 'platform', file: 'firebase.json' } as const;
  const nginx = { provider: 'nginx', kind: 'server', file: 'nginx.conf' } as const;

  it.each([
    ['nothing is known', null, [], null, null],
    ['a kind is named', 'worker', [], null, { ok: true, product: 'cloudflare', folder: '.' }],
    ['a product is named', 'platform', [], 'netlify', { ok: true, product: 'netlify', folder: '.' }],
    [
      'a product is named and detected',
      'platform',
      [nginx, vercel],
      'vercel',
      { ok: true, product: 'vercel', folder: 'site' },
    ],
    ['hosts were detected', 'platform', [nginx, vercel], null, { ok: true, product: 'vercel', folder: 'site' }],
    ['the file is deployed with the site', 'platform', [netlify], null, { ok: true, product: 'netlify', folder: '.' }],
    [
      'docvitals has no configuration for it',
      'platform',
      [firebase],
      null,
      { ok: false, provider: 'Firebase Hosting' },
    ],
    ['another kind was detected', 'worker', [nginx], null, { ok: false, provider: 'nginx' }],
  ] as const)('where %s', (_, host, hosts, product, offer) => {
    expect(hostingOffer({ host, product, guided: null }, hosts)).toEqual(offer);
  });

  it('is none for a host whose section of the guide says what to do', () => {
    const answers = { host: 'server', product: null, guided: 's3' } as const;
    expect(hostingOffer(answers, [])).toEqual({ ok: false, provider: 'S3 and CloudFront' });
  });
});

describe('makePlan', () => {
  const words = initWords('en');
  const ANSWERS: Answers = {
    url: 'https://docs.example.com/',
    source: 'public',
    host: null,
    product: null,
    guided: null,
    language: 'en',
    workflows: [],
    hosting: false,
    monitor: false,
  };
  const PROJECT: Project = {
    folder: '/x',
    repository: null,
    prefix: '',
    site: null,
    hosts: [],
    pagesJob: null,
    isPushedByHand: false,
    urls: [],
  };
  const plan = (answers: Partial<Answers> = {}, project: Partial<Project> = {}, existing: string | null = null): Plan =>
    makePlan({ ...ANSWERS, ...answers }, { ...PROJECT, ...project }, existing, words);
  const namesOf = ({ files }: Plan): readonly string[] => files.map(({ file }) => file);

  it('writes the configuration, with what was answered', () => {
    const [config] = plan({ url: 'https://docs.example.com/$a/', host: 'worker', monitor: true }).files;
    expect(config?.text.split('\n').slice(1)).toEqual([
      'url: "https://docs.example.com/$$a/"',
      'source: public',
      'host: worker',
      'language: en',
      'monitor:',
      '  listen: 127.0.0.1:9464',
      '',
    ]);
    expect(plan({ source: null }).files[0]?.text).not.toMatch(/source|host|monitor/);
  });

  it.each<[string, Partial<Answers>, Partial<Project>, boolean]>([
    ['a kind that was named', { host: 'platform' }, {}, true],
    ['a product', { host: 'platform', guided: 'cloudflare-pages' }, {}, false],
    ['a product that gets its rules', { host: 'platform', product: 'vercel', hosting: true }, {}, true],
    [
      'what was detected',
      { host: 'platform' },
      { hosts: [{ provider: 'Netlify', kind: 'platform', file: 'x' }] },
      false,
    ],
    ['a plain server', { host: 'server', product: 'nginx' }, {}, true],
  ])('promises rules for %s only if they were meant', (_, answers, project, isNamed) => {
    expect(/^host: /m.test(plan(answers, project).files[0]?.text ?? '')).toBe(isNamed);
  });

  it('keeps a configuration of another name, and mentions it', () => {
    const kept = plan({}, { prefix: 'docs' }, 'docvitals.json');
    expect(namesOf(kept)).toEqual([]);
    expect(kept.notes).toContain(words.configured('docs/docvitals.json'));
    expect(namesOf(plan({}, { prefix: 'docs' }, CONFIG))).toEqual(['docs/docvitals.yaml']);
  });

  it('names the command for the monitor, with its address unless the configuration has that', () => {
    const listening = 'docvitals monitor --listen 127.0.0.1:9464';
    expect(plan({ monitor: true }).notes).toContain(words.monitor('docvitals monitor'));
    expect(plan({ monitor: true }, {}, CONFIG).notes).toContain(words.monitor(listening));
    expect(plan().notes).toContain(words.monitorOffer(listening));
  });

  it('names the command to run after a deployment where no workflow can run', () => {
    const all = plan({}, { prefix: 'my docs' }).notes.join('\n');
    expect(all).toContain('check https://docs.example.com/ --config ');
    expect(all).toContain('--full --wait 10m');
    expect(plan({ workflows: ['push'] }).notes.join('\n')).not.toContain('--wait 10m');
  });

  it('writes the files of the host beside the file that shows it', () => {
    const hosts: DetectedHost[] = [{ provider: 'Cloudflare Workers', kind: 'worker', file: 'edge/wrangler.toml' }];
    const made = plan({ hosting: true, host: 'worker', source: 'edge/public' }, { hosts, prefix: 'docs' });
    const settings = 'docs/edge/wrangler.jsonc';
    expect(made.files.slice(1)).toMatchObject([{ file: 'docs/edge/worker.js', needs: settings }, { file: settings }]);
    expect(made.files.at(-1)?.text).toContain('"directory": "./public"');
    expect(made.files.at(-1)?.text).toContain('The deployed files.\n');
  });

  it('keeps other files from being deployed with a site below its base path', () => {
    const made = plan({ hosting: true, host: 'worker', url: 'https://example.com/docs/', source: 'out/docs' });
    const ignored = made.files.find(({ file }) => file === 'out/.assetsignore');
    expect(ignored).toMatchObject({ needs: 'wrangler.jsonc' });
    expect(ignored?.text).toContain('/*\n!/docs/\n');
  });

  it.each([
    ['of a worker', { host: 'worker', source: null }, true],
    ['of a platform at the root', { host: 'platform', source: null }, false],
    ['of a platform below a path', { host: 'platform', source: null, url: 'https://example.com/docs/' }, true],
    ['that is known', { host: 'worker' }, false],
  ] as const)('says that the user names the folder %s: %j', (_, answers, isSaid) => {
    const { notes } = plan({ hosting: true, ...answers });
    expect(notes.some((note) => /wrangler\.jsonc|vercel\.json/.test(note))).toBe(isSaid);
  });

  it('refuses a host that is unknown, and a path that a configuration cannot have', () => {
    expect(() => plan({ hosting: true })).toThrow(UsageError);
    expect(() => plan({ hosting: true, host: 'server', url: 'https://example.com/a%20b/' })).toThrow(UsageError);
  });
});
