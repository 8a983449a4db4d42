import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { install, manifest, ROOT, tarball, type Installed } from './package.ts';

const run = promisify(execFile);

/** A project with the package, which brings no other. */
let project: Installed;
/** The files of the package, with forward slashes. */
let files: string[] = [];

/** Runs a module in the project, with the Node that runs the tests; gives what it printed as JSON. */
async function evaluate(code: string): Promise<unknown> {
  const script = path.join(project.folder, 'probe.js');
  await writeFile(script, code);
  const { stdout } = await run(process.execPath, [script], { cwd: project.folder });
  return JSON.parse(stdout);
}

/** Runs the command of the package; returns its standard output. */
async function docvitals(...args: string[]): Promise<string> {
  return (await run(process.execPath, [project.bin, ...args], { cwd: project.folder })).stdout;
}

const read = (file: string): string => readFileSync(path.join(project.unpacked, file), 'utf8');

/** Every module specifier of a declaration or of emitted JavaScript. */
function specifiers(file: string): string[] {
  const found = read(file).matchAll(/(?<!['"])(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"\s]+)['"]/g);
  return [...found].map(([, specifier = '']) => specifier);
}

/** `file → specifier` for each that leads to no file of the package. */
function broken(file: string): string[] {
  const known = (specifier: string): boolean => {
    if (!specifier.startsWith('.')) {
      return isBuiltin(specifier);
    }
    const target = path.posix.join(path.posix.dirname(file), specifier);
    // A declaration may name another as the `.ts` or `.js` that it declares.
    return files.includes(file.endsWith('.d.ts') ? target.replace(/(?<!\.d)\.[jt]s$/, '.d.ts') : target);
  };
  return specifiers(file).flatMap((specifier) => (known(specifier) ? [] : [`${file} → ${specifier}`]));
}

beforeAll(async () => {
  project = await install('project');
  const { unpacked } = project;
  files = globSync('**/*', { cwd: unpacked, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(unpacked, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}, 120_000);

/** What the command loads when a run needs it. */
const CHUNK = /cli-[\w.-]+-[\w-]{8}\.cjs$/;

describe('the packed tarball', () => {
  it('holds what is published, and no more', () => {
    const tops = new Set(files.map((file) => file.split('/').slice(0, 2).join('/').replace(CHUNK, 'cli-*')));
    expect([...tops].toSorted()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin/docvitals.js',
        'bin/monitor-process.js',
        'bin/require-node.js',
        'dist/THIRD-PARTY-LICENSES.txt',
        'dist/cli-*',
        'dist/cli.cjs',
        'dist/index.js',
        'dist/worker.js',
        'dist/watchdog-thread.js',
        'dist/schema',
        'dist/types',
        'dist/texts',
        'package.json',
      ].toSorted(),
    );
  });

  it('holds no tests, fixtures, TypeScript sources or build', () => {
    expect(files.filter((file) => /\.test\.|fixtures\/|(?<!\.d)\.ts$|src\/build\/|\.part$/.test(file))).toEqual([]);
  });

  it('asks at its start for the Node that its manifest asks for', () => {
    const [, ...numbers] = /wanted = \[(\d+), (\d+)\]/.exec(read('bin/require-node.js')) ?? [];
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${numbers.join('.')}`);
  });

  it('has no script in its package.json, and npm warns about nothing when it installs that', async () => {
    expect(JSON.parse(read('package.json'))).not.toHaveProperty('scripts');
    const folder = path.join(path.dirname(tarball), 'npm-install');
    await mkdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{}');
    const args = ['install', '--offline', '--omit=optional', '--no-audit', '--loglevel=warn', tarball];
    const { stderr } = await run('npm', args, { cwd: folder, shell: process.platform === 'win32' });
    expect(stderr).toBe('');
  }, 60_000);

  it('is packed without a lasting change of package.json', () => {
    const copy = path.join(path.dirname(tarball), 'checkout');
    expect(readFileSync(path.join(copy, 'package.json'), 'utf8')).toBe(
      readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
    );
    expect(readdirSync(copy)).not.toContain('package.json.original');
  });

  it('is small', async () => {
    const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(project.unpacked, file))).size));
    expect((await stat(tarball)).size).toBeLessThan(1_850_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_500_000);
  });

  it('names no path of the machine that built it', () => {
    expect(files.filter((file) => read(file).includes(ROOT))).toEqual([]);
  });

  it("loads no HTTP/2, which takes a tenth of a check's time", () => {
    expect(files.filter((file) => /['"`](?:node:)?http2['"`]/.test(read(file)))).toEqual([]);
  });

  it('installs no other package, and declares nothing of one', () => {
    expect(manifest).not.toHaveProperty('dependencies');
    expect(files.filter((file) => /^dist\/(?:index\.js|types\/)/.test(file)).flatMap(broken)).toEqual([]);
  });
});

describe('the installed command', () => {
  it('prints its version', async () => {
    expect((await docvitals('--version')).trim()).toBe(manifest.version);
  });

  it.each(['en', 'ro', 'fr'])('carries its texts: %s', async (language) => {
    expect(await docvitals('explain', 'navigation', '--lang', language)).toMatch(/`?\/?navigation\.md/);
  });
});

describe('the installed library', () => {
  it('checks a site, with its worker in place', async () => {
    const report = await evaluate(`
      import { createServer } from 'node:http';
      import { defaultChecks, checkSite, parseBaseUrl } from 'docvitals';
      const server = createServer((request, response) => {
        const type = { '/index.html': 'text/html', '/config.json': 'application/json' }[request.url] ?? 'text/markdown';
        const body = { 'text/html': '<!doctype html><title>x</title>', 'application/json': '{}' }[type];
        response.setHeader('content-type', type).end(body ?? '# Guide\\n\\n- [Guide](/guide.md)\\n');
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const site = parseBaseUrl('http://127.0.0.1:' + server.address().port);
      console.log(JSON.stringify(await checkSite({ site, checks: defaultChecks })));
      server.close();
    `);
    expect(report).toMatchObject({ verdict: 'healthy', tool: { name: 'docvitals', version: manifest.version } });
  });

  it('is typed for those who import it', async () => {
    const source = `
      import { checks, checkSite, parseBaseUrl, type Report } from 'docvitals';
      import api from 'docvitals/schema/api.json' with { type: 'json' };
      import config from 'docvitals/schema/config.json' with { type: 'json' };
      import documents from 'docvitals/schema/documents.json' with { type: 'json' };
      import schema from 'docvitals/schema/report.json' with { type: 'json' };
      const site = parseBaseUrl('https://docs.example.com/');
      export const report: Promise<Report> | undefined = site.ok ? checkSite({ site, checks }) : undefined;
      export const titles: string[] = [api.info.title, config.title, documents.title, schema.title];
      // @ts-expect-error: were the declarations not found, all would be any.
      export const wrong: number = parseBaseUrl;
    `;
    const types = path.join(ROOT, 'node_modules/@types');
    const options = { module: 'nodenext', strict: true, noEmit: true, types: ['node'], typeRoots: [types] };
    await writeFile(path.join(project.folder, 'consumer.ts'), source);
    await writeFile(
      path.join(project.folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }),
    );
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: project.folder }).catch(
      (error: unknown) => ({
        stdout: (error as { stdout: string }).stdout,
      }),
    );
    expect(stdout).toBe('');
  });

  it.each(['report', 'config'])('publishes schema/%s.json', async (name) => {
    const schema = await evaluate(
      `import schema from 'docvitals/schema/${name}.json' with { type: 'json' }; console.log(JSON.stringify(schema))`,
    );
    expect(schema).toMatchObject({ $schema: expect.stringMatching(/^https?:\/\/json-schema\.org\//), type: 'object' });
  });
});

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };

  /** The folders in which Node looks for what a package imports: its own, then those around it. */
  function* homes(folder: string): Generator<string> {
    for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) yield `${at}/`;
    yield '';
  }

  // npm leaves out what its registry does not have yet, and then `npm ci` fails everywhere.
  it('holds the binaries of every system, so that `npm ci` works on each', () => {
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => ![...homes(folder)].some((home) => `${home}node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});
