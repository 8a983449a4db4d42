/** All rows, in the order of the tables, and what is measured at many sizes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as checkers from './checkers.ts';
import type { Checker } from './checkers.ts';
import { costOf } from './command.ts';
import { fleetRow, checkedFleet, simulatedFleet } from './fleet/rows.ts';
import { historyGrowth } from './history.ts';
import { withScene } from './host.ts';
import { inTurn, medians, type Figure, type Sample } from './measure.ts';
import { monitorRow, sitesGrowth } from './monitor/rows.ts';
import type { Growth, Row } from './row.ts';
import { FOLDER } from './session.ts';
import { benchSite, browserSite, BUNDLE_PAGES, bundleSite, oneShotSite, type Files } from './site.ts';

const COSTS: readonly Figure[] = ['wallMs', 'cpuMs', 'peakMiB'];

/** Two commands that look at the same site. */
interface Opponents extends Pick<Row, 'id' | 'work' | 'pairs'> {
  readonly ours: Checker;
  readonly theirs: Checker;
  readonly files: () => Files;
  readonly farMs?: number;
}

const opponents = ({ ours, theirs, files, farMs, ...row }: Opponents): Row => ({
  ...row,
  against: theirs.name,
  figures: COSTS,
  checkers: [ours, theirs],
  needs: ['nginx', ...ours.needs, ...theirs.needs],
  measure: (pairs) =>
    withScene({ files: files(), farMs }, (scene) =>
      inTurn(checkers.contender(ours, scene), checkers.contender(theirs, scene), pairs),
    ),
});

const FAR_MS = 50;
const PAGES = 1000;

const far = (id: string, theirs: Checker, ours = checkers.docvitals): Row => {
  const work = `one-shot check, TLS, ${FAR_MS} ms round trip${ours === checkers.docvitals ? '' : ', first run'}`;
  return opponents({ id: `far/${id}`, work, ours, theirs, pairs: 15, files: oneShotSite, farMs: FAR_MS });
};

const near = (id: string, theirs: Checker, pairs: number, ours = checkers.docvitals): Row => {
  const work = `one-shot check, loopback${ours === checkers.docvitals ? '' : ', first run'}`;
  return opponents({ id: `one-shot/${id}`, work, ours, theirs, pairs, files: oneShotSite });
};

const docvitalsPages = checkers.docvitalsFull(PAGES);

const full = (id: string, theirs: Checker): Row => {
  const work = `\`--full\` on ${PAGES.toLocaleString('en')} pages`;
  return opponents({ id: `full/${id}`, work, ours: docvitalsPages, theirs, pairs: 7, files: () => benchSite(PAGES) });
};

const docvitalsBundle = checkers.docvitalsFull(BUNDLE_PAGES, 'docvitals --full, large bundle');

/** A site whose engine is one large file: the core checks, and the whole site. */
function bundle(size: string, bytes: number): readonly Row[] {
  const site = { pairs: 9, files: () => bundleSite(bytes) };
  const work = `bundle of ${size.replace('-', ' ').toUpperCase()} compressed`;
  const [ours, theirs] = [checkers.docvitals, checkers.curlCompressed];
  const whole = { ours: docvitalsBundle, theirs: checkers.curlTreeCompressed };
  return [
    opponents({ ...site, id: `bundle/${size}`, work, ours, theirs }),
    opponents({ ...site, id: `bundle/${size}-full`, work: `${work}, \`--full\``, ...whole }),
  ];
}

const browser = (id: string, theirs: Checker): Row => {
  const ours = checkers.docvitalsBrowser;
  return opponents({ id: `browser/${id}`, work: '`--browser`, six pages', ours, theirs, pairs: 5, files: browserSite });
};

/** What a command costs before it does anything. */
function start(id: string, pairs: number, newHome = () => ({})): Row {
  const node = (args: readonly string[]) => () => costOf({ argv: [process.execPath, ...args], env: newHome() });
  return {
    id: `start/${id}`,
    work: `start (\`docvitals --version\`)${newHome === checkers.newHome ? ', first run' : ''}`,
    against: 'empty `node x.mjs`',
    figures: COSTS,
    needs: [],
    pairs,
    measure(count) {
      const empty = path.join(FOLDER, 'x.mjs');
      writeFileSync(empty, '');
      return inTurn(node([checkers.BIN, '--version']), node([empty]), count);
    },
  };
}

export const ROWS: readonly Row[] = [
  far('check_http', checkers.checkHttp),
  far('curl-parallel', checkers.curlParallel),
  far('curl-parallel-first', checkers.curlParallel, checkers.docvitalsFirst),
  far('curl-parallel-immediate', checkers.curlImmediate),
  far('curl-parallel-roots', checkers.curlWithRoots),
  far('curl-parallel-asserted', checkers.curlParallelScript),
  near('curl', checkers.curlScript, 25),
  near('curl-first', checkers.curlScript, 15, checkers.docvitalsFirst),
  near('curl-parallel', checkers.curlParallelScript, 15),
  near('linkinator', checkers.linkinator, 11),
  near('afdocs', checkers.afdocs, 5),
  start('node', 25),
  start('node-first', 15, checkers.newHome),
  ...bundle('300-kb', 300_000),
  ...bundle('5-mb', 5_000_000),
  full('linkinator', checkers.linkinatorTree(PAGES)),
  full('curl', checkers.curlTree),
  browser('playwright', checkers.playwright),
  browser('lighthouse', checkers.lighthouse),
  monitorRow('http'),
  monitorRow('tls'),
  fleetRow,
];

/** Beyond it, a run of linkinator takes minutes. */
const MOST_THEIRS = 1000;

const pagesGrowth: Growth = {
  id: 'growth/pages',
  title: 'A whole site',
  charts: 'pages',
  what: 'pages',
  steps: [1, 10, 100, 1000, 10_000],
  figures: ['wallMs', 'wallMsPerPage', 'cpuMs', 'peakMiB'],
  needs: ['nginx', 'linkinator'],
  runs: 3,
  measure: (at, runs) =>
    withScene({ files: benchSite(at) }, async (scene) => {
      const perPage = (sample: Sample): Sample => ({ ...sample, wallMsPerPage: (sample.wallMs ?? NaN) / at });
      const ours = checkers.contender(checkers.docvitalsFull(at), scene);
      const isTheirs = at <= MOST_THEIRS;
      const theirs = isTheirs ? checkers.contender(checkers.linkinatorTree(at), scene) : async () => ({});
      const pairs = await inTurn(ours, theirs, runs, 1);
      const linkinator = isTheirs ? { linkinator: perPage(medians(pairs.theirs)) } : {};
      return { docvitals: perPage(medians(pairs.ours)), ...linkinator };
    }),
};

export const GROWTHS: readonly Growth[] = [pagesGrowth, sitesGrowth, historyGrowth, simulatedFleet, checkedFleet];
