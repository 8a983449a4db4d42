/** prometheus-blackbox-exporter, with a module for each core check, requested as Prometheus does. */
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import { FILES, FIVE, type FiveCheck } from '../faults.ts';
import { peer } from '../peers.ts';
import { Process } from '../process.ts';
import { newFolder, pause } from '../session.ts';
import type { Origins } from './origins.ts';
import { failureName, type MonitorContender, type Pace } from './watch.ts';

const HTML = String.raw`(?i)^\s*<(!doctype|html)`;
const TEXT = { fail_if_body_not_matches_regexp: [String.raw`\S`], fail_if_body_matches_regexp: [HTML] };

/** The options of the HTTP prober that find what the core checks find, as far as regular expressions can. */
const ASSERTIONS: Readonly<Record<FiveCheck, object>> = {
  bundle: {
    fail_if_header_not_matches: [{ header: 'Content-Type', regexp: '^text/html' }],
    fail_if_body_not_matches_regexp: ['(?i)<html'],
  },
  // It has no JSON parser: an object from brace to brace without the usual mistake in it is as near as it gets.
  config: {
    fail_if_body_not_matches_regexp: [String.raw`^\s*\{[\s\S]*\}\s*$`],
    fail_if_body_matches_regexp: [String.raw`,\s*[}\]]`],
  },
  // A page without links is a warning of docvitals.
  navigation: TEXT,
  home: TEXT,
  'llms-txt': TEXT,
};

function configuration({ authorityFile }: Origins): string {
  const tls = authorityFile === null ? {} : { tls_config: { ca_file: authorityFile } };
  const options = { valid_status_codes: [200], follow_redirects: false, preferred_ip_protocol: 'ip4', ...tls };
  const module = (check: FiveCheck) => ({ prober: 'http', timeout: '10s', http: { ...options, ...ASSERTIONS[check] } });
  // JSON is YAML.
  return JSON.stringify({ modules: Object.fromEntries(FIVE.map((check) => [check, module(check)])) });
}

/** Enough to keep some cores busy, few enough that responses stay fast. */
const AT_ONCE = 32;

interface Probe {
  readonly name: string;
  readonly url: string;
}

/** Requests probes again and again over connections that are kept. */
class Prometheus {
  done = 0;
  /** Names of the probes that failed when they were requested last. */
  readonly failing = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  readonly #probes: readonly Probe[];
  #workers: Promise<unknown> = Promise.resolve();
  #isGoing = false;
  #next = 0;

  constructor(url: string, { list }: Origins) {
    this.#probes = list.flatMap((origin) =>
      FIVE.map((check) => ({
        name: failureName(origin.url, check),
        url: `${url}/probe?module=${check}&target=${encodeURIComponent(origin.url + FILES[check])}`,
      })),
    );
  }

  get count(): number {
    return this.#probes.length;
  }

  /** All of them evenly in so many seconds, or as fast as possible. */
  go(pace: Pace): void {
    this.#isGoing = true;
    const [began, first] = [performance.now(), this.#next];
    const eachMs = pace === 'flat-out' ? 0 : (pace * 1000) / this.count;
    const work = async (): Promise<void> => {
      while (this.#isGoing) {
        const number = this.#next++;
        const wait = began + (number - first) * eachMs - performance.now();
        if (wait > 0) await sleep(wait);
        await this.#probe(this.#probes[number % this.count]);
      }
    };
    this.#workers = Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #probe(probe: Probe | undefined): Promise<void> {
    if (probe === undefined || !this.#isGoing) return;
    const [response] = (await once(get(probe.url, { agent: this.#agent }), 'response')) as [Readable];
    const succeeded = (await text(response)).includes('\nprobe_success 1\n');
    this.failing[succeeded ? 'delete' : 'add'](probe.name);
    this.done += 1;
  }

  async rest(): Promise<void> {
    this.#isGoing = false;
    await this.#workers;
  }

  async close(): Promise<void> {
    await this.rest();
    this.#agent.destroy();
  }
}

export const blackboxExporter: MonitorContender = {
  name: 'blackbox_exporter',
  hasExpressionsOnly: true,
  async start(origins) {
    const { argv, env } = peer('prometheus-blackbox-exporter');
    const cwd = newFolder('blackbox');
    const file = path.join(cwd, 'blackbox.yml');
    writeFileSync(file, configuration(origins));
    const listen = `127.0.0.1:${await freePort()}`;
    const args = [`--config.file=${file}`, `--web.listen-address=${listen}`, '--log.level=error'];
    const exporter = new Process([...argv, ...args], { cwd, env });
    const prometheus = new Prometheus(`http://${listen}`, origins);
    const stop = async (): Promise<void> => {
      await prometheus.close();
      await exporter.stop();
    };
    try {
      await exporter.untilServed(`http://${listen}/-/healthy`);
      prometheus.go('flat-out');
      while (prometheus.done < prometheus.count) await pause(0.1);
      await prometheus.rest();
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      pid: exporter.pid,
      go: async (pace) => prometheus.go(pace),
      rest: () => prometheus.rest(),
      checks: async () => prometheus.done,
      failing: async () => prometheus.failing,
      stop,
    };
  },
};
