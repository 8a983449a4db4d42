/**
 * `npm run bench`: docvitals against what people would use instead. README.md beside this file says how it measures and
 * what came of it; rows.ts has what is measured.
 */
import { delimiter, dirname } from 'node:path';
import { tablesOf, writeDocuments } from './documents.ts';
import { environmentOf } from './environment.ts';
import { isForCi, readLimits } from './limits.ts';
import { measureAll, type Chosen } from './measuring.ts';
import { isChosen, readOptions, USAGE, type Options } from './options.ts';
import type { Found } from './peers/peer.ts';
import { findPeers, type PeerName } from './peers/peers.ts';
import { joined, readResults } from './results.ts';
import { GROWTHS, ROWS } from './rows.ts';
import { say, Session } from './session.ts';

/** In CI's form. */
const SHORT_PAIRS = 5;

/** What grows takes long, and is measured only when it is requested. */
function chosenOf({ only, short, pairs }: Options): Chosen {
  const limits = short ? readLimits() : {};
  const isWanted = ({ id }: { readonly id: string }): boolean => only.some((wanted) => isChosen(id, wanted));
  const usual = short ? ROWS.filter(isForCi) : ROWS;
  return {
    rows: only.length > 0 ? ROWS.filter(isWanted) : usual,
    growths: GROWTHS.filter(isWanted),
    limits,
    pairs: (row) => pairs ?? (short ? SHORT_PAIRS : row.pairs),
  };
}

function lookForPeers({ rows, growths }: Chosen, folder: string): ReadonlyMap<PeerName, Found> {
  const names = new Set([...rows, ...growths].flatMap(({ needs }) => needs));
  const found = findPeers([...names], { folder, progress: say });
  const nginx = found.get('nginx');
  // What starts nginx looks for it on the PATH, which has not everybody's /usr/sbin.
  if (nginx !== undefined && 'argv' in nginx) {
    Object.assign(process.env, nginx.env);
    process.env['PATH'] += delimiter + dirname(nginx.argv[0] ?? '');
  }
  return found;
}

/** The exit status. */
async function bench(options: Options): Promise<number> {
  const chosen = chosenOf(options);
  const found = lookForPeers(chosen, options.peers);
  const session = new Session(found, options.sites);
  try {
    const results = await measureAll(chosen, environmentOf(found), session);
    console.log(tablesOf({ ...chosen, results }));
    if (session.problems.length > 0) return 1;
    if (options.write) writeDocuments({ rows: ROWS, growths: GROWTHS, results: joined(readResults(), results) });
    return 0;
  } catch (error) {
    if (session.stopped) return 130;
    say((error as Error).message);
    return 1;
  } finally {
    session.close();
  }
}

const options = readOptions(
  process.argv.slice(2),
  [...ROWS, ...GROWTHS].map(({ id }) => id),
);
if ('problem' in options) {
  console.error(options.problem);
  process.exitCode = 2;
} else if (options.help) {
  console.log(USAGE);
} else {
  process.exitCode = await bench(options);
}
