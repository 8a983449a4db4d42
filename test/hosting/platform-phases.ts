/**
 * The platform's order of phases, run over the routes that its own library makes of a configuration: what stands before
 * the file system, the file system, what stands after it. Independent of the preview.
 */
import type { GetRoutesProps, HasField, RouteWithSrc } from '@vercel/routing-utils';
import routing from '@vercel/routing-utils';

/** Where a request ends. */
export type Outcome =
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'file'; readonly path: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'missing' };

interface State {
  path: string;
  readonly headers: Record<string, string>;
}

export function makePlatform(configuration: GetRoutesProps, paths: ReadonlySet<string>) {
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

/** Runs routes in order until one ends the phase; tells the status of a redirect. */
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
