/** What people would use instead, for the five files of a site. */
import path from 'node:path';
import { FAULT_IDS, type FaultId } from '../scene/faults.ts';
import type { Scene } from '../scene/host.ts';
import type { Checker, Surroundings } from './checker.ts';

const FIVE = ['index.html', 'config.json', 'navigation.md', 'index.md', 'llms.txt'];

/** All that a status tells. */
const BY_STATUS: readonly FaultId[] = ['bundle-missing', 'config-missing', 'navigation-error', 'llms-missing'];

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
  claims: FAULT_IDS,
  command: (at) => ({ argv: ['/bin/sh', script('curl-five.sh'), at.scene.url], env: shell(at) }),
};

/** The same assertions, with all files fetched by one curl. */
export const curlParallelScript: Checker = {
  name: 'curl -Z + grep + jq',
  needs: ['curl', 'jq'],
  claims: FAULT_IDS,
  command: (at) => ({ argv: ['/bin/sh', script('curl-parallel.sh'), at.scene.url], env: shell(at) }),
};

/** One curl that only fetches: nothing is looked at but the status. */
export const curlParallel = (...options: readonly string[]): Checker => ({
  name: ['curl -Z', ...options].join(' '),
  needs: ['curl'],
  claims: BY_STATUS,
  command: ({ scene, peer }) => ({
    argv: [
      ...peer('curl').argv,
      '--parallel',
      '--fail',
      '--no-progress-meter',
      ...options,
      ...urls(scene).flatMap((url) => ['--output', '/dev/null', url]),
    ],
    env: { ...peer('curl').env, ...curlTrust(scene) },
  }),
});

/** Five times the plugin that monitoring hosts have. It reads no JSON, and verifies no certificate. */
export const checkHttp: Checker = {
  name: 'check_http × 5',
  needs: ['check_http'],
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
  claims: BY_STATUS,
  command: ({ scene, peer }) => ({ argv: [...peer('linkinator').argv, ...urls(scene)] }),
};

/** It judges how well agents can read a site, which is another question: it is here for how long that takes. */
export const afdocs: Checker = {
  name: 'afdocs',
  needs: ['afdocs'],
  claims: [],
  command: ({ scene, peer }) => ({ argv: [...peer('afdocs').argv, 'check', scene.url, '--quiet'] }),
  isElsewhere: true,
};
