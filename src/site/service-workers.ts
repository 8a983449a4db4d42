/** The service workers that the page of a site registers, in itself or in scripts of the site that it loads. */
import type { Reply } from '../core/answer.ts';
import type { Site } from './types.ts';
import { beginningOf } from '../expect/fallback.ts';
import { isOk } from '../expect/reply.ts';
import { readUntrusted, type ReadLimits } from '../parse/untrusted.ts';
import { resolveAddress } from '../parse/urls.ts';
import { resourcesOf } from './loaded.ts';

const MOST_SCRIPTS = 10;
/** In bytes. */
const LONGEST = 1024 * 1024;

/** Those of inline scripts; `base`: what the addresses of all workers are relative to. */
export async function workersOfPage(bundle: Reply, { limits: { parseMs: limitMs, signal, read } }: Site) {
  const text = beginningOf(bundle.body, LONGEST);
  const page = await readUntrusted('workers-of-page', text, null, { limitMs, signal, read });
  const { base, registrations } = page.ok ? page : { base: null, registrations: [] };
  return { base: resolveAddress(base ?? '', bundle.url) ?? new URL(bundle.url), registrations };
}

export async function workersOfScript(text: string, limits: ReadLimits) {
  const script = await readUntrusted('workers-of-script', text, null, limits);
  return script.ok ? script.registrations : [];
}

/** All of them, each once; browsers refuse those of other origins. */
export async function serviceWorkers(site: Site) {
  const bundle = await site.bundle();
  if (!isOk(bundle)) return [];
  const { parseMs: limitMs, signal, read } = site.limits;
  const { base, registrations } = await workersOfPage(bundle, site);
  const found = [...registrations];
  const loaded = await resourcesOf(bundle, site);
  const scripts = loaded.filter(({ kind, url }) => kind === 'script' && url.origin === site.base.origin);
  for (const { url } of scripts.slice(0, MOST_SCRIPTS)) {
    const script = await site.pooled({ url, accept: '*/*' });
    const text = isOk(script) ? beginningOf(script.body, LONGEST) : '';
    found.push(...(await workersOfScript(text, { limitMs, signal, read })));
  }
  const workers = found.flatMap(({ url: written, viaCache }) => {
    const url = resolveAddress(written, base);
    return url?.origin === site.base.origin ? [{ url, viaCache }] : [];
  });
  return [...new Map(workers.map((one) => [one.url.href, one])).values()];
}
