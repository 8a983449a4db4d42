/** What the pages show of the monitor is what a monitor does, and their commands run one after another. */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitting, fittingMetrics } from '../contracts.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { runCli } from '../cli/run.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite, writeSite } from '../site/sample.ts';
import { liveThroughOutage, type Outage } from './outage.ts';
import { blocks, EXAMPLE, expectPart, MONITOR_COMMANDS, narrow, textOf } from './pages.ts';

const GUIDE = 'docs/guides/monitor.md';
const run = promisify(execFile);

let host: Host;
let receiver: Receiver;
let folder: string;
let outage: Outage;

/** The smallest configuration of a monitor. */
const smallest = (): string => blocks('yaml', GUIDE)[0] ?? '';

beforeAll(async () => {
  const site = sampleSite();
  [host, receiver, outage] = await Promise.all([
    startHost(site, { fallback: false }),
    startReceiver(),
    liveThroughOutage(EXAMPLE),
  ]);
  // A repository whose folder `docs` is the site, with what deploys it: here it is live already.
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-docs-'));
  writeSite(site, path.join(folder, 'docs'));
  writeFileSync(path.join(folder, 'deploy.sh'), 'test -f "$DOCVITALS_FOLDER/index.html"\n');
  writeFileSync(path.join(folder, 'docvitals.yaml'), smallest().replace(EXAMPLE, host.url));
  writeFileSync(path.join(folder, '.gitignore'), 'docvitals.db*\n');
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'docs'],
  ]) {
    await run('git', args, { cwd: folder });
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([host.close(), receiver.stop(), outage.end()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the folder; the monitor is stopped once it runs and `meanwhile`, given what it printed, is over. */
function runInFolder(
  args: readonly string[],
  meanwhile = async (_printed: string): Promise<void> => {},
): Promise<ResultHere> {
  const options = { cwd: folder, env: { OPS_WEBHOOK: `${receiver.url}/ops` } };
  if (args[0] !== 'monitor') return runHere(args, options);
  const isEndless = !args.includes('--once');
  const isRunning = args.includes('pretty') ? /Ctrl-C.*\n/ : /monitor-started.*\n/;
  const onStart = (child: ChildProcess): void => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const before = isRunning.test(printed);
      printed += chunk.toString();
      if (isEndless && !before && isRunning.test(printed)) void meanwhile(printed).finally(() => child.kill('SIGINT'));
    });
  };
  return runCli(args, { ...options, onStart });
}

describe('the generated parts on the monitor', () => {
  it('show what it logs while a site is down', async () => {
    await expectPart(GUIDE, 'monitor-log', async (language) => {
      const { stdout } = await runInFolder(['monitor', '--log', 'pretty', '--no-color', '--lang', language]);
      const [started = '', ...greeting] = stdout.split('\n');
      const head = started
        .replace(/^\S+ \S+/, outage.begin)
        .replace(/(proces\S*) \d+/, '$1 4711')
        .replace(/\/\S+docvitals\.db/, '/home/docs/docvitals.db');
      const greeted = greeting.slice(0, greeting.findIndex((line) => line.includes('Ctrl-C')) + 1);
      expect(greeted).not.toEqual([]);
      const lines = [head, ...greeted].map((line) => `${line}\n`).join('');
      return { fence: 'console', text: `$ docvitals monitor\n${lines}${outage.logs[language]}` };
    });
  });

  it('show the state of sites', async () => {
    await runInFolder(['monitor', '--once']);
    // How long ago a site was checked, and the date.
    const alike = (text: string): string => narrow(text.replace(/(100\s?%).*/, '$1').replace(/^.*2026.*UTC.*$/m, ''));
    await expectPart(GUIDE, 'status', async (language) => {
      const { stdout } = await runInFolder(['status', '--lang', language]);
      return { fence: 'console', text: `$ docvitals status\n${stdout}`, alike };
    });
  });

  it('show its incidents', async () => {
    await expectPart('docs/guides/incidents.md', 'incidents', async (language) => ({
      fence: 'console',
      text: `$ docvitals incidents\n${await outage.print(['incidents', '--lang', language])}`,
    }));
  });

  it('show the history of a site', async () => {
    const args = ['history', 'docs', '--since', '2026-11-20', '--until', '2026-11-21', '--resolution', 'minute'];
    await expectPart('docs/guides/history.md', 'history', async (language) => {
      const printed = await outage.print([...args, '--lang', language]);
      expect(printed.split('\n').length).toBeGreaterThan(3);
      return { fence: 'console', text: `$ docvitals ${args.join(' ')}\n${printed}`, alike: narrow };
    });
  });

  it('show the body of a webhook', async () => {
    const bodies = outage.bodies.map((body) => JSON.parse(body) as { readonly event: string });
    expect(bodies.map(({ event }) => event)).toEqual(['opened', 'recovered']);
    const text = `${JSON.stringify(bodies[1], null, 2)}\n`;
    await expectPart('docs/guides/notifications.md', 'webhook', () => ({ fence: 'json', text }));
  });

  it('show a drill', async () => {
    await expectPart('docs/guides/recovery-drill.md', 'drill', async (language) => {
      const { status, stdout } = await runInFolder(['drill', '--source', '.', '--lang', language]);
      expect(status).toBe(0);
      const printed = stdout.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:41907').replace(/ [0-9a-f]{7}$/m, ' 3f2a91c');
      return { fence: 'console', text: `$ docvitals drill --source .\n${printed}`, alike: narrow };
    });
  });

  it('are of the drill that its schema describes', async () => {
    const { stdout } = await runInFolder(['drill', '--source', '.', '--format', 'json']);
    expect(fitting('drill', stdout)).toMatchObject({ recoveryTimeObjectiveMet: true });
  });

  it('list the examples', async () => {
    await expectPart('docs/guides/running.md', 'examples', async (language) => {
      const { stdout } = await runHere(['example', '--lang', language]);
      return { fence: 'console', text: `$ docvitals example\n${stdout}` };
    });
  });
});

describe('the commands of the monitor', () => {
  const commands = blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => MONITOR_COMMANDS.includes(/^docvitals (\S+)/.exec(line)?.[1] ?? ''));

  // Each uses what those before it left in the database.
  it('run', { timeout: 120_000 }, async () => {
    expect(commands).toContain('docvitals monitor');
    await runInFolder(['monitor', '--once']);
    for (const line of new Set(commands)) {
      const words = line.replace(EXAMPLE, host.url).match(/"[^"]*"|\S+/g) ?? [];
      const args = words.slice(1).map((word) => word.replaceAll('"', ''));
      expect({ line, ...(await runInFolder(args)) }).toMatchObject({ line, status: 0, stderr: '' });
    }
  });
});

describe('the paths of the server', () => {
  const rows = textOf(GUIDE).matchAll(/^\| (`\/.*?) \|/gm);
  const paths = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one]) => one ?? ''));

  it('are there', async () => {
    expect(paths).toEqual(expect.arrayContaining(['/', '/metrics', '/healthz', '/api/v1/incidents']));
    const probed = blocks('yaml').find((text) => text.includes('probe:')) ?? '';
    writeFileSync(path.join(folder, 'probed.yaml'), probed.replace(EXAMPLE, host.url));
    // So that every site has been checked.
    await runInFolder(['monitor', '--once']);
    const statuses: Record<string, number> = {};
    const metrics: string[] = [];
    await runInFolder(
      ['monitor', '--config', 'probed.yaml', '--log', 'json', '--listen', '127.0.0.1:0'],
      async (printed) => {
        const { url } = JSON.parse(printed.split('\n')[0] ?? '') as { url: string };
        for (const one of paths) {
          const response = await fetch(new URL(one, url));
          statuses[one] = response.status;
          if (/^\/(?:metrics|probe)/.test(one)) metrics.push(await response.text());
        }
      },
    );
    expect(statuses).toEqual(Object.fromEntries(paths.map((one) => [one, 200])));
    expect(metrics.map((text) => fittingMetrics(text, ['site']))).toHaveLength(2);
  });
});

describe('the program that verifies a signature', () => {
  const KEY = 'hunter2';
  type Verify = (headers: Receiver['received'][number]['headers'], body: string, secret: string) => boolean;
  let verify: Verify;
  let sent: Receiver['received'][number];

  beforeAll(async () => {
    const file = path.join(folder, 'verify.mjs');
    writeFileSync(file, blocks('js')[0] ?? '');
    ({ isFromDocvitals: verify } = (await import(pathToFileURL(file).href)) as { isFromDocvitals: Verify });
    writeFileSync(
      path.join(folder, 'signed.json'),
      JSON.stringify({
        sites: [{ id: 'docs', url: host.url }],
        alerts: [{ id: 'ops', webhook: { url: receiver.url, secret: KEY } }],
      }),
    );
    await runInFolder(['alert', 'test', 'ops', '--config', 'signed.json', '--lang', 'fr']);
    sent = receiver.received.at(-1) ?? { method: '', path: '', headers: {}, body: '' };
  });

  it('knows what docvitals sent', () => {
    expect(verify(sent.headers, sent.body, KEY)).toBe(true);
  });

  it.each([
    ['another secret', (): boolean => verify(sent.headers, sent.body, 'other')],
    ['another body', (): boolean => verify(sent.headers, sent.body.replace('opened', 'closed'), KEY)],
    ['another time', (): boolean => verify({ ...sent.headers, 'webhook-timestamp': '1' }, sent.body, KEY)],
    ['no signature', (): boolean => verify({}, sent.body, KEY)],
    ['a signature of another length', (): boolean => verify({ ...sent.headers, 'webhook-signature': 'é' }, '', KEY)],
  ])('knows nothing of %s', (_name, verified) => {
    expect(verified()).toBe(false);
  });
});

describe('the configurations', () => {
  const configurations = blocks('yaml').map((text, index) => ({ index, text }));

  it.each(configurations)('number $index is valid', async ({ index, text }) => {
    const file = path.join(folder, `example-${index}.yaml`);
    writeFileSync(file, text);
    const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const env = Object.fromEntries(names.map((name) => [name, /WEBHOOK$|_URL$/.test(name) ? receiver.url : 'secret']));
    const { status, stdout, stderr } = await runHere(['config', 'check', '--config', file], { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('secret');
  });
});
