import type { Answer, Evidence, Json, Reply } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Hosting } from '../../src/site/hosting.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { Site } from '../../src/site/types.ts';
import { refusalIn } from '../../src/expect/refusal.ts';
import { isOk, ruleOfStatus, type ReplyRule, mediaTypeOf } from '../../src/expect/reply.ts';
import { notEvaluated, noReplyReason } from '../../src/expect/not-received.ts';
import { REASONS, type Reason } from '../../src/http/reasons.ts';
import type { NotFoundRule as Rule } from './check.ts';
import { alike, beginningOf, fingerprint, isFallback, type Fingerprint } from '../../src/expect/fallback.ts';

export type GatheredProbes = Awaited<ReturnType<typeof gather>>;

export async function gather(site: Site) {
  const [bundle, { probes }, hosting, { profile }, { routing }] = await Promise.all([
    site.bundle(),
    site.notFound(),
    site.hosting(),
    site.engine(),
    site.engineSettings(),
  ]);
  const probed = outcomesOf(probes, bundle, site.base);
  const facts = factsOf(probed, hosting);
  const history = routing === 'history' ? profile : null;
  const isKindNamed = site.requested.host !== null && !site.requested.hostByProduct;
  return { answer: null, bundle, hosting, isKindNamed, history, probed, requests: probes.length, facts };
}

function factsOf(probed: readonly Probed[], hosting: Hosting): Evidence {
  const facts: Record<string, Json> = {};
  for (const { requested, outcome, answer } of probed) {
    const status = answer.kind === 'reply' && outcome !== 'bundle' ? answer.status : outcome;
    const before = facts[requested];
    if (before === undefined || before === status) facts[requested] = status;
    else facts[requested] = [...new Set([before].flat().concat(status))];
  }
  return { ...facts, host: hosting.kind };
}

/** Outcomes that show what the host does; the others only show that a request failed. */
const DECISIVE: ReadonlySet<Outcome> = new Set<Outcome>(['missing', 'bundle', 'other', 'redirected', 'forbidden']);

type Findings = readonly RawFinding<Rule>[];

export function evaluate(gathered: GatheredProbes): Findings {
  const { probed, bundle } = gathered;
  const blame = blameless(probed, bundle);
  if (blame !== null) return [blame];
  // A probe that failed does not count where another of its kind succeeded.
  const reported = byKind(probed).flatMap((kind) => {
    const decisive = kind.filter(({ outcome }) => DECISIVE.has(outcome));
    return decisive.length > 0 ? decisive : kind;
  });
  const byOutcome = Map.groupBy(reported, ({ outcome }) => outcome);
  const findings = [...byOutcome].flatMap(([outcome, group]) => findingsOf(outcome, group, gathered));
  return [...findings, ...inconsistent(probed.filter(({ outcome }) => DECISIVE.has(outcome)))];
}

/** Where the site itself did not come, other checks say why. Where it did, silence is what the host says for a missing file. */
function blameless(probed: readonly Probed[], bundle: Answer): RawFinding<Rule> | null {
  const open = isOk(bundle);
  const own = probed.find(({ outcome }) => Object.hasOwn(REASONS, outcome) && REASONS[outcome as Reason] === 'unknown');
  const came = probed.some(({ outcome }) => DECISIVE.has(outcome) && (open || outcome !== 'forbidden'));
  if (came || (open && probed.some(({ answer }) => answer.kind === 'reply'))) return null;
  if (own !== undefined) return { rule: own.outcome as Reason, evidence: shown(own.answer) };
  return open ? null : notEvaluated(bundle);
}

const byKind = (probed: readonly Probed[]) => [...Map.groupBy(probed, ({ requested }) => requested).values()];

function findingsOf(outcome: Outcome, group: readonly Probed[], gathered: GatheredProbes): Findings {
  const { probed: all, hosting, isKindNamed, history } = gathered;
  if (history !== null && (outcome === 'missing' || outcome === 'bundle')) {
    return findingsOfHistory(outcome, group, gathered);
  }
  if (outcome === 'missing') return [];
  const evidence = evidenceOf(group, all);
  if (outcome === 'bundle') {
    const host = { host: hosting.kind, hostBy: hosting.by };
    return [{ rule: softCode(group, hosting, isKindNamed), evidence: { ...evidence, ...host } }];
  }
  if (outcome === 'forbidden') return [{ rule: 'missing-forbidden', evidence }];
  if (outcome !== 'other') return [{ rule: outcome, evidence }];
  const { wild, same } = wildcardsOf(byKind(group));
  return [
    ...(wild.length === 0 ? [] : [{ rule: 'wildcard', evidence: evidenceOf(wild, all) } as const]),
    ...(same.length === 0 ? [] : [{ rule: 'soft-404-other', evidence: evidenceOf(same, all) } as const]),
  ];
}

/** With history routing, names without an extension are pages: they need the bundle, and all others 404. */
function findingsOfHistory(
  outcome: 'missing' | 'bundle',
  group: readonly Probed[],
  gathered: GatheredProbes,
): Findings {
  const { probed: all, bundle } = gathered;
  const isRoute = ({ requested }: Probed): boolean => requested === 'none';
  if (outcome === 'bundle') {
    const files = group.filter((probe) => !isRoute(probe));
    return files.length === 0 ? [] : [{ rule: 'soft-404-history', evidence: evidenceOf(files, all) }];
  }
  const routes = group.filter(isRoute);
  if (routes.length === 0 || !isOk(bundle)) return [];
  const rule = routes.every((route) => opensSite(route, gathered))
    ? 'history-fallback-status'
    : 'history-fallback-missing';
  return [{ rule, evidence: evidenceOf(routes, all) }];
}

/** Whether the page for missing files is the engine, or a script that leads to it, as on GitHub Pages. */
function opensSite({ answer }: Probed, { bundle, history }: GatheredProbes): boolean {
  if (answer.kind !== 'reply' || bundle.kind !== 'reply') return false;
  if (alike(printOf(answer), printOf(bundle))) return true;
  const page = beginningOf(answer.body);
  return history?.recognise(page) !== undefined || /<script\b[^]*\blocation\b|<meta\b[^>]*\brefresh\b/i.test(page);
}

/**
 * On a plain web server the fallback is by design. The rules of the other kinds exclude it, where the user named the kind; a
 * host that was only recognised may have rules of its own.
 */
function softCode(group: readonly Probed[], { kind }: Hosting, isKindNamed: boolean): Rule {
  if (kind === 'server') return 'soft-404-by-design';
  if (group.every(({ requested }) => requested === 'none')) return 'soft-404-without-extension';
  return isKindNamed ? 'soft-404' : 'spa-fallback';
}

function evidenceOf(group: readonly Probed[], all: readonly Probed[]): Evidence {
  const notFoundFor = namesOf(all.filter(({ outcome }) => outcome === 'missing'));
  const [first] = group;
  return {
    names: namesOf(group),
    ...(notFoundFor.length > 0 ? { notFoundFor } : {}),
    ...(first === undefined ? {} : shown(first.answer)),
  };
}

const namesOf = (probed: readonly Probed[]) => [...new Set(probed.map(({ requested }) => requested))];

function shown(answer: Answer): Evidence {
  const [hop] = answer.redirects;
  const way = hop === undefined ? {} : { redirect: hop.status, location: hop.location };
  const about =
    answer.kind === 'no-reply'
      ? answer.evidence
      : { status: answer.status, mediaType: mediaTypeOf(answer), bytes: answer.body.length };
  return { url: answer.requestUrl, ...way, ...about };
}

/** Names of one kind that get different answers: servers that are not deployed alike, or a cache. */
function inconsistent(decided: readonly Probed[]): Findings {
  const mixed = byKind(decided).filter((kind) => new Set(kind.map(({ outcome }) => outcome)).size > 1);
  const [first] = mixed;
  if (first === undefined) return [];
  const evidence = { names: namesOf(mixed.flat()), outcomes: first.map(({ outcome }) => outcome) };
  return [{ rule: 'inconsistent', evidence }];
}

type Outcome = Exclude<ReplyRule, 'not-found' | 'internal-error'> | 'missing' | 'bundle' | 'other';

type Probed = ReturnType<typeof outcomesOf>[number];

function outcomesOf(probes: NotFound['probes'], bundle: Answer, base: URL) {
  return probes.map(({ kind, answer }) => {
    const below = new URL(answer.requestUrl).pathname.slice(base.pathname.length).includes('/');
    return { requested: below ? ('folder' as const) : kind, outcome: outcomeOf(answer, bundle), answer };
  });
}

function outcomeOf(answer: Answer, bundle: Answer): Outcome {
  if (refusalIn(answer) !== null) return 'client-refused';
  if (answer.kind === 'no-reply') return noReplyReason(answer);
  if (answer.status >= 200 && answer.status <= 299) return pageOf(answer, bundle);
  const rule = ruleOfStatus(answer.status);
  return rule === 'not-found' ? 'missing' : rule;
}

function pageOf(reply: Reply, bundle: Answer): Outcome {
  // The bundle is not always the same: hosts put nonces, scripts and obfuscated addresses in.
  if (isFallback(reply, bundle) || (isOk(bundle) && alike(printOf(reply), printOf(bundle)))) return 'bundle';
  return reply.redirects.length > 0 && !isSameLocation(reply) ? 'redirected' : 'other';
}

const printOf = ({ requestUrl, body }: Reply): Fingerprint => fingerprint(requestUrl, body);

/** Whether the redirects only added a slash, or went to https or another name of the host. */
function isSameLocation({ requestUrl, url }: Reply): boolean {
  const [requested, came] = [requestUrl, url].map((href) => new URL(href).pathname.replace(/\/$/, ''));
  return requested === came;
}

/** `wild`: responses made for each request, which look like real files. A single one counts as such where others do. */
function wildcardsOf(kinds: readonly (readonly Probed[])[]) {
  const wild = kinds.filter(isWildcard);
  const steady = kinds.filter((kind) => kind.length > 1 && !wild.includes(kind)).flat();
  const isStray = (kind: readonly Probed[]): boolean =>
    wild.length > 0 &&
    kind.length === 1 &&
    !kind.some(({ answer }) => answer.kind === 'reply' && answer.body.length === 0) &&
    steady.every((other) => isWildcard([...kind, other]));
  const all = kinds.filter((kind) => wild.includes(kind) || isStray(kind));
  return { wild: all.flat(), same: kinds.filter((kind) => !all.includes(kind)).flat() };
}

function isWildcard(probed: readonly Probed[]): boolean {
  const [first, second] = probed.flatMap(({ outcome, answer }) =>
    outcome === 'other' && answer.kind === 'reply' && answer.body.length > 0 ? [printOf(answer)] : [],
  );
  return first !== undefined && second !== undefined && !alike(first, second);
}
