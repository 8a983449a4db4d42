/** prometheus-blackbox-exporter as a contender: a module for each of the five, asked for by a driver of our own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import { failureName, type MonitorContender } from './contender.ts';
import { Driver } from './driver.ts';
import { FIVE, PATHS, type FiveCheck } from './faults.ts';
import type { Origins } from './origins.ts';

/** The options of the HTTP prober that see what the five look for, as far as regular expressions can. */
const ASSERTIONS: Readonly<Record<FiveCheck, object>> = {
  bundle: {
    fail_if_header_not_matches: [{ header: 'Content-Type', regexp: '^text/html' }],
    fail_if_body_not_matches_regexp: ['(?i)<html'],
  },
  // There is no parser of JSON: an object from brace to brace without the usual mistake in it is as near as it gets.
  config: {
    fail_if_body_not_matches_regexp: [String.raw`^\s*\{[\s\S]*\}\s*$`],
    fail_if_body_matches_regexp: [String.raw`,\s*[}\]]`],
  },
  navigation: {
    fail_if_body_not_matches_regexp: [String.raw`\]\([^)]+\)`],
    fail_if_body_matches_regexp: [String.raw`(?i)^\s*<(!doctype|html)`],
  },
  home: {
    fail_if_body_not_matches_regexp: [String.raw`\S`],
    fail_if_body_matches_regexp: [String.raw`(?i)^\s*<(!doctype|html)`],
  },
  'llms-txt': {
    fail_if_body_not_matches_regexp: [String.raw`\S`],
    fail_if_body_matches_regexp: [String.raw`(?i)^\s*<(!doctype|html)`],
  },
};

export const blackboxExporter: MonitorContender = {
  name: 'blackbox_exporter',
  hasExpressionsOnly: true,
  async start(origins, { folder, peer, signal }) {
    const { argv, env } = peer('prometheus-blackbox-exporter');
    const cwd = mkdtempSync(path.join(folder, 'blackbox-'));
    const file = path.join(cwd, 'blackbox.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ modules: modules(origins) }));
    const port = await freePort();
    const [program = '', ...args] = argv;
    const child = spawn(
      program,
      [...args, `--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
      { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env['PATH'], ...env } },
    );
    const ended = once(child, 'exit');
    const driver = new Driver(port, probesOf(origins));
    const stop = async (): Promise<void> => {
      driver.close();
      child.kill();
      await ended;
      rmSync(cwd, { recursive: true, force: true });
    };
    try {
      await answers(port, signal);
      driver.go('flat-out');
      while (driver.done < origins.list.length * FIVE.length) await sleep(100, undefined, { signal });
      await driver.rest();
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      pid: child.pid ?? NaN,
      go: (pace) => Promise.resolve(driver.go(pace)),
      rest: () => driver.rest(),
      checks: () => Promise.resolve(driver.done),
      failing: () => Promise.resolve(driver.failing),
      stop,
    };
  },
};

function modules({ authorityFile }: Origins): Readonly<Record<string, object>> {
  const tls = authorityFile === null ? {} : { tls_config: { ca_file: authorityFile } };
  const options = { valid_status_codes: [200], follow_redirects: false, preferred_ip_protocol: 'ip4', ...tls };
  const of = (check: FiveCheck): object => ({
    prober: 'http',
    timeout: '10s',
    http: { ...options, ...ASSERTIONS[check] },
  });
  return Object.fromEntries(FIVE.map((check) => [check, of(check)]));
}

const probesOf = ({ list }: Origins) =>
  list.flatMap(({ url }) =>
    FIVE.map((check) => ({ name: failureName(url, check), module: check, target: `${url}${PATHS[check]}` })),
  );

async function answers(port: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/-/healthy`, { signal }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await sleep(25, undefined, { signal });
  }
  throw new Error('blackbox_exporter does not answer');
}
