/** All rows, in the order of the tables: what docvitals does, held against what, and what is demanded of it. */
import type { Checker } from './contenders/checker.ts';
import { docvitals, docvitalsFirst, docvitalsFull } from './contenders/docvitals.ts';
import {
  afdocs,
  checkHttp,
  curlImmediate,
  curlParallel,
  curlParallelScript,
  curlScript,
  curlWithRoots,
  linkinator,
} from './contenders/five.ts';
import { curlTree, linkinatorTree } from './contenders/tree.ts';
import { MONITOR_ROWS } from './monitor/rows.ts';
import { opponents } from './opponents.ts';
import type { Growth } from './growth/growth.ts';
import { historyGrowth } from './growth/history.ts';
import { pagesGrowth } from './growth/pages.ts';
import { sitesGrowth } from './growth/sites.ts';
import { alone, atMost, type Row, type Target } from './row.ts';
import { oneShotSite } from './scene/site.ts';
import { benchSite } from './site.ts';
import { startRow } from './start.ts';

const FAR_MS = 50;
const PAGES = 1000;

/** The five on loopback. */
const near = (id: string, theirs: Checker, pairs: number, targets: readonly Target[] = [], ours = docvitals): Row =>
  opponents({
    id: `one-shot/${id}`,
    work: `one-shot check, loopback${ours === docvitals ? '' : ', first run'}`,
    ours,
    theirs,
    targets,
    pairs,
    files: oneShotSite,
  });

/** The five of a host that is far away. */
const far = (id: string, theirs: Checker, targets: readonly Target[] = []): Row =>
  opponents({
    id: `far/${id}`,
    work: `one-shot check, TLS, ${FAR_MS} ms round trip`,
    ours: docvitals,
    theirs,
    targets,
    pairs: 15,
    files: oneShotSite,
    farMs: FAR_MS,
  });

const docvitalsTree = docvitalsFull(PAGES);

/** A whole site. */
const full = (id: string, theirs: Checker, targets: readonly Target[] = []): Row =>
  opponents({
    id: `full/${id}`,
    work: `\`--full\` on ${PAGES.toLocaleString('en')} pages`,
    ours: docvitalsTree,
    theirs,
    targets,
    pairs: 7,
    files: () => benchSite(PAGES),
  });

export const ROWS: readonly Row[] = [
  near('curl', curlScript, 25, [atMost('wallMs', 1, 0.8), alone('peakMiB', 75)]),
  near('curl-first', curlScript, 15, [], docvitalsFirst),
  near('curl-parallel', curlParallelScript, 15),
  near('linkinator', linkinator, 11, [atMost('wallMs', 0.35)]),
  near('afdocs', afdocs, 5),
  far('check_http', checkHttp, [atMost('wallMs', 0.3)]),
  far('curl-parallel', curlParallel, [atMost('wallMs', 1.25, 1.1)]),
  far('curl-parallel-immediate', curlImmediate),
  far('curl-parallel-roots', curlWithRoots),
  far('curl-parallel-asserted', curlParallelScript),
  startRow({ id: 'start/node', pairs: 25, targets: [atMost('wallMs', 2)] }),
  startRow({ id: 'start/node-first', pairs: 15, targets: [], first: true }),
  full('linkinator', linkinatorTree(PAGES), [atMost('wallMs', 0.25)]),
  full('curl', curlTree),
  ...MONITOR_ROWS,
];

export const GROWTHS: readonly Growth[] = [
  pagesGrowth([1, 10, 100, 1000, 10_000]),
  sitesGrowth([1, 10, 100, 1000, 5000]),
  historyGrowth([1, 7, 30, 90, 365]),
];
