import { defineCheck, type Answer, type Evidence, type Gathered, type Reply, type Site } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { CODES, VITAL, type Code } from './codes.ts';
import type { Judged } from './judge.ts';

interface GatheredAssets extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  /** `null`: no page came that could load anything. */
  readonly judged: Judged | null;
}

/** What the bundle loads, and the files that the configuration names: there, of the right type, allowed to the page. */
export const assets = defineCheck<GatheredAssets, Code>({
  id: 'assets',
  target: '**/*.{js,css,svg}',
  full: true,
  codes: CODES,
  vital: VITAL,
  gather: async (site) => {
    const bundle = await site.bundle();
    const text = pageOf(bundle);
    if (text === null || bundle.kind === 'no-reply') return { answer: null, bundle, judged: null };
    return { answer: null, bundle, ...(await gatherAssets(site, bundle, text)) };
  },
  judge: async ({ bundle, judged }) => {
    if (judged === null) return [unjudged(bundle)];
    const { judgeAssets } = await import('./judge.ts');
    return judgeAssets(judged);
  },
});

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
): Promise<{ judged: Judged; requests: number; facts: Evidence }> {
  const [{ htmlResources }, { wantedByPage }, { wantedByConfiguration }, { load }, { configText }] = await Promise.all([
    import('../../src/parse/html-links.ts'),
    import('./wanted.ts'),
    import('./settings.ts'),
    import('./load.ts'),
    import('./config-text.ts'),
  ]);
  const page = new URL(bundle.url);
  const html = htmlResources(text);
  const policies = [...html.policies, ...bundle.headers.all('content-security-policy')];
  const upgrades = policies.some((policy) => /(?:^|[;,])\s{0,20}upgrade-insecure-requests\b/i.test(policy));
  const context = { base: page, page, file: 'index.html', upgrades };
  const config = configText(await site.config());
  const byPage = wantedByPage(html, context);
  const byConfiguration = wantedByConfiguration(await site.configuration(), config, {
    ...context,
    file: 'config.json',
  });
  const start = {
    wanted: [...byPage.wanted, ...byConfiguration.wanted],
    insecure: [...byPage.insecure, ...byConfiguration.insecure],
  };
  const { assets: loaded, insecure, texts, requests, left, foreignLeft, cut } = await load(site, start, context);
  const all = new Map([...texts, ['index.html', text], ['config.json', config]]);
  const sizes = new Map(loaded.map(({ seen }) => [seen.url, seen.bytes]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return {
    judged: { page, quirks: html.quirks, assets: loaded, insecure, texts: all },
    requests,
    facts: {
      assets: requests,
      bytes,
      ...(left > 0 ? { left } : {}),
      ...(foreignLeft > 0 ? { foreignLeft } : {}),
      ...(html.whole && !cut ? {} : { cutShort: true }),
    },
  };
}
