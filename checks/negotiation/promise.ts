/** Where somebody said that the site negotiates. Reads the source; requests nothing. */
import type { Site } from '../../src/site/types.ts';
import type { Source } from '../../src/source/types.ts';

/** `by`: the option, the key or the file. `wanted: false`: the user said that nothing is expected. */
export interface Promised {
  readonly by: string | null;
  readonly wanted: boolean | null;
}

/** Files that are code between the visitor and the static files, whatever they do. */
const WORKERS = [
  /^_worker\.[jt]s$/,
  /^functions\/(?:.*\/)?(?:_middleware|\[\[\w+\]\])\.[jt]s$/,
  /^netlify\/edge-functions\/.+\.[jt]s$/,
];
/** Settings of a worker; those that name no program serve static files only. */
const SETTINGS = /^wrangler\.(?:toml|jsonc?)$/;
const PROGRAM = /^\s*(?:main\s*=|"main"\s*:)/m;

export async function promiseOf({ requested }: Pick<Site, 'requested'>): Promise<Promised> {
  const { negotiation, host, hostByProduct, source } = requested;
  if (negotiation !== null) return { by: negotiation ? 'negotiation: true' : null, wanted: negotiation };
  if (host !== null && !hostByProduct) return { by: host === 'server' ? null : `host: ${host}`, wanted: null };
  // A source that cannot be read is reported by the check that compares it.
  const by = source === null ? null : await fileOf(source).catch(() => null);
  return { by, wanted: null };
}

async function fileOf(source: Source): Promise<string | null> {
  const paths = [...(await source.files()).keys()];
  const named = paths.find((path) => path === 'vercel.json' || WORKERS.some((worker) => worker.test(path)));
  if (named !== undefined) return named;
  const settings = paths.find((path) => SETTINGS.test(path));
  const bytes = settings === undefined ? null : await source.read(settings);
  return bytes !== null && PROGRAM.test(Buffer.from(bytes).toString('utf8')) ? (settings ?? null) : null;
}
