/** All rows, in the order of the tables: what docvitals does, held against what, and what is demanded of it. */
import { browserSite, docvitalsBrowser, lighthouse, playwright } from './contenders/browser.ts';
import type { Checker } from './contenders/checker.ts';
import { docvitals, docvitalsFirst, docvitalsFull } from './contenders/docvitals.ts';
import {
  afdocs,
  checkHttp,
  curlCompressed,
  curlImmediate,
  curlParallel,
  curlParallelScript,
  curlScript,
  curlWithRoots,
  linkinator,
} from './contenders/five.ts';
import { curlTree, curlTreeCompressed, linkinatorTree } from './contenders/tree.ts';
import { fleetRow } from './fleet/rows.ts';
import { MONITOR_ROWS } from './monitor/rows.ts';
import { opponents } from './opponents.ts';
import { checkedFleet, simulatedFleet } from './growth/fleet.ts';
import type { Growth } from './growth/growth.ts';
import { historyGrowth } from './growth/history.ts';
import { pagesGrowth } from './growth/pages.ts';
import { sitesGrowth } from './growth/sites.ts';
import type { Row } from './row.ts';
import { BUNDLE_PAGES, bundleSite } from './scene/bundle.ts';
import { oneShotSite } from './scene/site.ts';
import { benchSite } from './site.ts';
import { startRow } from './start.ts';

const FAR_MS = 50;
const PAGES = 1000;

/** The five on loopback. */
const near = (id: string, theirs: Checker, pairs: number, ours = docvitals): Row =>
  opponents({
    id: `one-shot/${id}`,
    work: `one-shot check, loopback${ours === docvitals ? '' : ', first run'}`,
    ours,
    theirs,
    pairs,
    files: oneShotSite,
  });

/** The five of a host that is far away. */
const far = (id: string, theirs: Checker, ours = docvitals): Row =>
  opponents({
    id: `far/${id}`,
    work: `one-shot check, TLS, ${FAR_MS} ms round trip${ours === docvitals ? '' : ', first run'}`,
    ours,
    theirs,
    pairs: 15,
    files: oneShotSite,
    farMs: FAR_MS,
  });

const docvitalsTree = docvitalsFull(PAGES);

/** A whole site. */
const full = (id: string, theirs: Checker): Row =>
  opponents({
    id: `full/${id}`,
    work: `\`--full\` on ${PAGES.toLocaleString('en')} pages`,
    ours: docvitalsTree,
    theirs,
    pairs: 7,
    files: () => benchSite(PAGES),
  });

const MEGABYTE = 1_000_000;
const docvitalsBundle = docvitalsFull(BUNDLE_PAGES, 'docvitals --full, large bundle');

/** A site whose engine is one large file: the five, and the whole site. */
const bundle = (size: string, bytes: number): readonly Row[] => {
  const site = { pairs: 9, files: () => bundleSite(bytes) };
  const work = `bundle of ${size.replace('-', ' ').toUpperCase()} compressed`;
  return [
    opponents({ ...site, id: `bundle/${size}`, work, ours: docvitals, theirs: curlCompressed }),
    opponents({
      ...site,
      id: `bundle/${size}-full`,
      work: `${work}, \`--full\``,
      ours: docvitalsBundle,
      theirs: curlTreeCompressed,
    }),
  ];
};

/** Six pages in a browser. */
const browser = (id: string, theirs: Checker): Row =>
  opponents({
    id: `browser/${id}`,
    work: '`--browser`, six pages',
    ours: docvitalsBrowser,
    theirs,
    pairs: 5,
    files: browserSite,
  });

export const ROWS: readonly Row[] = [
  far('check_http', checkHttp),
  far('curl-parallel', curlParallel),
  far('curl-parallel-first', curlParallel, docvitalsFirst),
  far('curl-parallel-immediate', curlImmediate),
  far('curl-parallel-roots', curlWithRoots),
  far('curl-parallel-asserted', curlParallelScript),
  near('curl', curlScript, 25),
  near('curl-first', curlScript, 15, docvitalsFirst),
  near('curl-parallel', curlParallelScript, 15),
  near('linkinator', linkinator, 11),
  near('afdocs', afdocs, 5),
  startRow({ id: 'start/node', pairs: 25 }),
  startRow({ id: 'start/node-first', pairs: 15, first: true }),
  ...bundle('300-kb', 0.3 * MEGABYTE),
  ...bundle('5-mb', 5 * MEGABYTE),
  full('linkinator', linkinatorTree(PAGES)),
  full('curl', curlTree),
  browser('playwright', playwright),
  browser('lighthouse', lighthouse),
  ...MONITOR_ROWS,
  fleetRow(),
];

export const GROWTHS: readonly Growth[] = [
  pagesGrowth([1, 10, 100, 1000, 10_000]),
  sitesGrowth([1, 10, 100, 1000, 5000]),
  historyGrowth([1, 7, 30, 90, 365]),
  simulatedFleet([1000, 10_000, 100_000]),
  checkedFleet([1000, 3000, 10_000]),
];
