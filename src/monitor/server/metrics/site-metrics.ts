/**
 * What is known of each site, as metrics. What `docvitals check --format prometheus` tells as well has its names, help,
 * labels and meaning here too; only that `site` is the id of the configuration, whose URL `docvitals_site_info` has.
 */
import type { CheckResult, Status } from '../../../check.ts';
import { printable } from '../../../printable.ts';
import { groupsOf } from '../../../report/groups.ts';
import { siteStatusAt, type SiteVerdict } from '../../site-state.ts';
import type { SiteView } from '../../view.ts';
import { Exposition, label, type AddSample } from './exposition.ts';
import { OF_CHECKS, OF_SITES, type SiteFacts } from './site-families.ts';

const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
const VERDICTS = [
  'healthy',
  'degraded',
  'down',
  'stale',
  'unknown',
  'unstable',
] as const satisfies readonly SiteVerdict[];

/** A site with the labels that its lines begin with. */
interface Labelled {
  readonly facts: SiteFacts;
  /** `site="docs"` */
  readonly site: string;
  /** Each check's result behind `site="docs",check="bundle"`. */
  readonly checks: readonly (readonly [string, CheckResult])[];
}

/** All metrics of all sites at `now` as text, in UTF-8; what is not known of a site has no sample. */
export async function siteMetrics(views: readonly SiteView[], now: number): Promise<Buffer> {
  const sites = await Promise.all(views.map((view) => labelled(view, now)));
  const exposition = new Exposition();
  info(sites, exposition);
  verdicts(sites, exposition);
  for (const { name, help, valueOf } of OF_SITES) {
    exposition.family(name, 'gauge', help, (add) => {
      for (const { site, facts } of sites) add(site, valueOf(facts));
    });
  }
  statuses(sites, exposition);
  for (const { name, help, valueOf } of OF_CHECKS) {
    exposition.family(name, 'gauge', help, (add) => {
      for (const { checks } of sites) for (const [labels, result] of checks) add(labels, valueOf(result));
    });
  }
  findings(sites, exposition);
  return exposition.bytes();
}

async function labelled(view: SiteView, now: number): Promise<Labelled> {
  const site = label('site', view.site.id);
  const results = [...view.results.values()];
  return {
    facts: { ...view, verdict: (await siteStatusAt(view, now)).verdict, checks: results },
    site,
    checks: results.map((result) => [`${site},${label('check', result.id)}`, result]),
  };
}

function info(sites: readonly Labelled[], exposition: Exposition): void {
  const help = 'The sites of the monitor: their URL and title, as labels.';
  exposition.family('docvitals_site_info', 'gauge', help, (add) => {
    for (const { site, facts } of sites) {
      add(`${site},${label('url', printable(facts.url))},${label('title', printable(facts.site.title))}`, 1);
    }
  });
}

function verdicts(sites: readonly Labelled[], exposition: Exposition): void {
  const help = 'The verdict of the last run: 1 for the one that holds, 0 for the others.';
  exposition.family('docvitals_verdict', 'gauge', help, (add) => {
    for (const { site, facts } of sites) states(add, site, 'verdict', VERDICTS, facts.verdict);
  });
}

function statuses(sites: readonly Labelled[], exposition: Exposition): void {
  const help = 'How each check ended: 1 for the status that holds, 0 for the others.';
  exposition.family('docvitals_check_status', 'gauge', help, (add) => {
    for (const { checks } of sites) {
      for (const [labels, { status }] of checks) states(add, labels, 'status', STATUSES, status);
    }
  });
}

function findings(sites: readonly Labelled[], exposition: Exposition): void {
  const help = 'How many findings of each code there are; a code without findings is absent.';
  exposition.family('docvitals_findings', 'gauge', help, (add) => {
    for (const { checks } of sites) for (const [labels, result] of checks) codes(add, labels, result);
  });
}

/** Most checks have one finding or none, and there are many checks. */
function codes(add: AddSample, labels: string, result: CheckResult): void {
  const [first, ...more] = result.findings;
  if (first === undefined) return;
  const groups = more.length === 0 && result.omitted === undefined ? [{ ...first, count: 1 }] : groupsOf(result);
  for (const { rule, severity, count } of groups) add(`${labels},${label('code', rule)},severity="${severity}"`, count);
}

/** A state set: a line for each state, so that a query sees a state end. */
function states(add: AddSample, labels: string, name: string, all: readonly string[], state: string): void {
  for (const one of all) add(`${labels},${name}="${one}"`, one === state ? 1 : 0);
}
