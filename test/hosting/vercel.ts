/**
 * A host that runs the routes which the platform's own library makes of a `vercel.json`, in the platform's order: the
 * routes before the file system, the file system, the routes after it.
 */
import { createHash } from 'node:crypto';
import type { GetRoutesProps, HasField, RouteWithSrc } from '@vercel/routing-utils';
import routing from '@vercel/routing-utils';
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { compressed } from './compress.ts';

/** Serves files, by their path from the root of the host, with a configuration. */
export async function startVercel(
  files: ReadonlyMap<string, string | Uint8Array>,
  vercelJson: string,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { $schema: _, ...configuration } = JSON.parse(vercelJson) as GetRoutesProps & { readonly $schema?: string };
  const route = makePlatform(configuration, new Set(files.keys()));
  const host = await listen((request, response) => {
    const outcome = route(request.url ?? '/', request.headers.accept);
    if (outcome.kind === 'missing') return response.writeHead(404, { 'content-type': 'text/plain' }).end('NOT_FOUND\n');
    if (outcome.kind === 'redirect') return response.writeHead(outcome.status, { location: outcome.location }).end();
    const plain = Buffer.from(files.get(outcome.path) ?? '');
    const type = MEDIA_TYPES[outcome.path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
    const { body, headers } = compressed(request, {
      body: plain,
      headers: {
        'content-type': /^text\/\w+$/.test(type) ? `${type}; charset=utf-8` : type,
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-length': String(plain.length),
        etag: `"${createHash('md5').update(plain).digest('hex')}"`,
        ...outcome.headers,
      },
    });
    if (request.headers['if-none-match'] === headers['etag']) return response.writeHead(304, headers).end();
    return response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  return { port: host.port, stop: () => host.close() };
}

type Outcome =
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'file'; readonly path: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'missing' };

interface State {
  path: string;
  readonly headers: Record<string, string>;
}

function makePlatform(configuration: GetRoutesProps, paths: ReadonlySet<string>) {
  const { routes, error } = routing.getTransformedRoutes(configuration);
  if (error !== null || routes === null) throw new Error(error?.message ?? 'no routes');
  // Without a handle, all routes come before the file system.
  const handle = routes.findIndex((route) => 'handle' in route);
  const split = handle === -1 ? routes.length : handle;
  const sources = (some: typeof routes): RouteWithSrc[] => some.filter((route) => 'src' in route) as RouteWithSrc[];
  const [before, after] = [sources(routes.slice(0, split)), sources(routes.slice(split + 1))];

  /** Files by their name, and `index.html` by its folder's. */
  const lookUp = (encoded: string): string | null => {
    const path = decodeURIComponent(encoded).slice(1);
    const folder = path.replace(/\/$/, '');
    const index = folder === '' ? 'index.html' : `${folder}/index.html`;
    return [path, index].find((name) => paths.has(name)) ?? null;
  };

  return (target: string, accept: string | undefined): Outcome => {
    const url = new URL(target, 'http://platform.invalid');
    const state: State = { path: url.pathname, headers: {} };
    const redirect = runRoutes(before, state, accept, lookUp);
    if (redirect !== null) {
      return { kind: 'redirect', status: redirect, location: `${state.headers['location'] ?? ''}${url.search}` };
    }
    if (lookUp(state.path) === null) runRoutes(after, state, accept, lookUp);
    const path = lookUp(state.path);
    return path === null ? { kind: 'missing' } : { kind: 'file', path, headers: state.headers };
  };
}

/** Runs routes in order until one ends the phase; returns the status of a redirect. */
function runRoutes(
  routes: readonly RouteWithSrc[],
  state: State,
  accept: string | undefined,
  lookUp: (path: string) => string | null,
): number | null {
  for (const { src, has, missing, dest, headers = {}, status, check, continue: goesOn } of routes) {
    const match = new RegExp(src, 'i').exec(state.path);
    if (match === null || !all(has, accept) || some(missing, accept)) continue;
    const filled = (text: string): string =>
      text.replaceAll(/\$([1-9a-zA-Z]+)/g, (_, key: string) => match[parseInt(key, 10)] ?? '');
    for (const [name, value] of Object.entries(headers)) state.headers[name.toLowerCase()] = filled(value);
    if (dest !== undefined) state.path = filled(dest);
    if (status !== undefined) return status;
    if (goesOn !== true && !(check === true && lookUp(state.path) === null)) return null;
  }
  return null;
}

type Condition = HasField[number];

/** A pattern has to match the whole value. */
const holds = ({ value }: Condition, accept: string | undefined): boolean =>
  accept !== undefined && typeof value === 'string' && new RegExp(`^(?:${value})$`).test(accept);
const all = (conditions: HasField = [], accept: string | undefined): boolean =>
  conditions.every((condition) => holds(condition, accept));
const some = (conditions: HasField = [], accept: string | undefined): boolean =>
  conditions.some((condition) => holds(condition, accept));
