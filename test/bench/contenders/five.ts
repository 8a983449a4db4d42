/** What people would use instead, for the five files of a site. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FAULT_IDS, type FaultId } from '../scene/faults.ts';
import type { Scene } from '../scene/host.ts';
import type { Checker, Surroundings } from './checker.ts';

const FIVE = ['index.html', 'config.json', 'navigation.md', 'index.md', 'llms.txt'];

/** All that a status tells. */
const BY_STATUS: readonly FaultId[] = ['bundle-missing', 'config-missing', 'navigation-error', 'llms-missing'];

/** Where Debian's curl looks for them. */
const SYSTEM_ROOTS = '/etc/ssl/certs/ca-certificates.crt';

const read = (file: string): string => readFileSync(file, 'utf8');
const script = (name: string): string => path.join(import.meta.dirname, name);
const urls = ({ url }: Scene): readonly string[] => FIVE.map((file) => url + file);

/** curl's and jq's folders come first, and where their libraries are. */
function shell({ scene, peer }: Surroundings): Readonly<Record<string, string>> {
  const [curl, jq] = [peer('curl'), peer('jq')];
  const folders = [curl, jq].map(({ argv: [file = ''] }) => path.dirname(file));
  const PATH = [...new Set([...folders, '/usr/bin', '/bin'])].join(path.delimiter);
  return { ...curl.env, ...jq.env, ...curlTrust(scene), PATH };
}

const curlTrust = ({ authority }: Scene): Readonly<Record<string, string>> =>
  authority === undefined ? {} : { CURL_CA_BUNDLE: authority };

/** Five times curl, and grep and jq on what came. */
export const curlScript: Checker = {
  name: 'curl × 5 + grep + jq',
  needs: ['curl', 'jq'],
  looksAt: 'five',
  claims: FAULT_IDS,
  command: (at) => ({ argv: ['/bin/sh', script('curl-five.sh'), at.scene.url], env: shell(at) }),
};

/** The same assertions, with all files fetched by one curl. */
export const curlParallelScript: Checker = {
  name: 'curl -Z + grep + jq',
  needs: ['curl', 'jq'],
  looksAt: 'five',
  claims: FAULT_IDS,
  command: (at) => ({ argv: ['/bin/sh', script('curl-parallel.sh'), at.scene.url], env: shell(at) }),
};

/** One curl that only fetches: nothing is checked but the status. */
export const curlParallel: Checker = {
  name: 'curl -Z',
  needs: ['curl'],
  looksAt: 'five',
  claims: BY_STATUS,
  command: ({ scene, peer }) => ({
    argv: [
      ...peer('curl').argv,
      '--parallel',
      '--fail',
      '--no-progress-meter',
      ...urls(scene).flatMap((url) => ['--output', '/dev/null', url]),
    ],
    env: { ...peer('curl').env, ...curlTrust(scene) },
  }),
};

/** It opens all connections at once, where it would see first whether one is enough for all. */
export const curlImmediate: Checker = {
  ...curlParallel,
  name: 'curl -Z --parallel-immediate',
  command(at) {
    const { argv, env } = curlParallel.command(at);
    return { argv: [...argv, '--parallel-immediate'], ...(env === undefined ? {} : { env }) };
  },
};

/** The same, compressed as docvitals asks for it. */
export const curlCompressed: Checker = {
  ...curlParallel,
  name: 'curl -Z --compressed',
  command(at) {
    const { argv, env } = curlParallel.command(at);
    return { argv: [...argv, '--compressed'], ...(env === undefined ? {} : { env }) };
  },
};

/** It trusts whom the system trusts, too, as against a public site: reading that file takes it a while. */
export const curlWithRoots: Checker = {
  ...curlParallel,
  name: "curl -Z with the system's roots",
  command(at) {
    const { argv, env } = curlParallel.command(at);
    const bundle = path.join(at.folder, 'roots.pem');
    writeFileSync(bundle, [SYSTEM_ROOTS, at.scene.authority ?? ''].filter(existsSync).map(read).join('\n'));
    return { argv, env: { ...env, CURL_CA_BUNDLE: bundle } };
  },
};

/** Five times the plugin that monitoring hosts have. It reads no JSON, and verifies no certificate. */
export const checkHttp: Checker = {
  name: 'check_http × 5',
  needs: ['check_http'],
  looksAt: 'five',
  claims: FAULT_IDS.filter((id) => id !== 'config-json'),
  command: ({ scene, peer }) => ({
    argv: [
      '/bin/sh',
      script('check-http-five.sh'),
      ...peer('check_http').argv,
      String(scene.port),
      ...(scene.authority === undefined ? [] : ['-S', '--sni']),
    ],
    env: peer('check_http').env,
  }),
};

/** It knows of links only: a file that arrives is well. */
export const linkinator: Checker = {
  name: 'linkinator',
  needs: ['linkinator'],
  looksAt: 'five',
  claims: BY_STATUS,
  command: ({ scene, peer }) => ({ argv: [...peer('linkinator').argv, ...urls(scene)] }),
};

/** It judges how well agents can read a site, which is another question: a healthy site fails some of its checks. */
export const afdocs: Checker = {
  name: 'afdocs',
  needs: ['afdocs'],
  looksAt: 'five',
  claims: [],
  command: ({ scene, peer }) => ({ argv: [...peer('afdocs').argv, 'check', scene.url, '--quiet'] }),
  isElsewhere: true,
  // The first word of a line, such as `✗ llms-txt-exists: …`.
  sees(_, output, healthy) {
    const failed = (text: string): string[] => [...text.matchAll(/✗ ([\w-]+):/g)].flatMap(([, check]) => check ?? []);
    return failed(output).some((check) => !failed(healthy).includes(check));
  },
};
