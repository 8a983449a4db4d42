import type { Answer, RawFinding, Evidence, Gathered, Reply, Site } from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { htmlResources } from '../../src/parse/html-links.ts';
import type { Rule } from './rules.ts';
import { configText } from './config-text.ts';
import { evaluateAssets, type LoadedAssets } from './evaluate.ts';
import { load } from './load.ts';
import { requiredByConfiguration } from './settings.ts';
import { requiredByPage } from './required-files.ts';

export interface GatheredAssets extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  /** `null`: no page came that could load anything. */
  readonly loaded: LoadedAssets | null;
  /** What was not checked, because there is too much of it; `null`: nothing. */
  readonly leftOut: Evidence | null;
}

/** What the bundle and the configuration name, and what came for it. */
export async function gather(site: Site): Promise<GatheredAssets> {
  const bundle = await site.bundle();
  const text = pageOf(bundle);
  if (text === null || bundle.kind === 'no-reply') return { answer: null, bundle, loaded: null, leftOut: null };
  return { answer: null, bundle, ...(await gatherAssets(site, bundle, text)) };
}

export function evaluate({ bundle, loaded, leftOut }: GatheredAssets): readonly RawFinding<Rule>[] {
  if (loaded === null) return [notEvaluated(bundle)];
  return [...evaluateAssets(loaded), ...(leftOut === null ? [] : [{ rule: 'left-out', evidence: leftOut } as const])];
}

/** The text of the page, where it is one. */
function pageOf(bundle: Answer): string | null {
  if (bundle.kind === 'no-reply' || bundle.status !== 200) return null;
  const text = Buffer.from(bundle.body).toString('utf8');
  return hasHtmlMarkup(text) ? text : null;
}

async function gatherAssets(
  site: Site,
  bundle: Reply,
  text: string,
): Promise<Omit<GatheredAssets, 'answer' | 'bundle'>> {
  const page = new URL(bundle.url);
  const html = htmlResources(text);
  const policies = [...html.policies, ...bundle.headers.all('content-security-policy')];
  const upgrades = policies.some((policy) => /(?:^|[;,])\s{0,20}upgrade-insecure-requests\b/i.test(policy));
  const context = { base: page, page, file: 'index.html', upgrades };
  const config = configText(await site.config());
  const byPage = requiredByPage(html, context);
  const byConfiguration = requiredByConfiguration(await site.configuration(), config, {
    ...context,
    file: 'config.json',
  });
  const start = {
    wanted: [...byPage.wanted, ...byConfiguration.wanted],
    insecure: [...byPage.insecure, ...byConfiguration.insecure],
  };
  const {
    assets: loaded,
    insecure,
    texts,
    requests,
    left,
    foreignLeft,
    cut,
    unread,
  } = await load(site, start, context);
  const all = new Map([...texts, ['index.html', text], ['config.json', config]]);
  const sizes = new Map(loaded.map(({ observed }) => [observed.url, observed.bytes]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const unreadFiles = html.whole ? unread : unread + 1;
  return {
    leftOut: left + unreadFiles === 0 ? null : { left, unread: unreadFiles },
    loaded: { page, quirks: html.quirks, assets: loaded, insecure, texts: all },
    requests,
    facts: {
      assets: requests,
      bytes,
      ...(left > 0 ? { left } : {}),
      ...(foreignLeft > 0 ? { foreignLeft } : {}),
      ...(cut || unreadFiles > 0 ? { cutShort: true } : {}),
    },
  };
}
