import type { Log } from '../log/write.ts';
import type { pageFor } from '../page/routes.ts';
import type { MonitorView } from '../view.ts';
import { type Answered, type Asked, json, languageOf, problemAnswer, RequestProblem } from './request.ts';
import { apiAnswer } from './api.ts';
import { isIP } from 'node:net';
import { scopeOf } from '../../address-scope.ts';
import type { ListenAddress } from '../settings.ts';

export interface Served {
  readonly view: MonitorView;
  readonly log: Log;
  readonly metrics: () => Promise<string>;
  readonly probe: (asked: Asked) => Promise<string>;
  readonly page: typeof pageFor;
  readonly listening: string;
  readonly named: () => readonly string[];
}

const LONGEST_PATH = 2_048;

/** Answers a request. Never rejects: what cannot be answered is reported as a problem. */
export async function respond(asked: Asked & { readonly method: string }, served: Served): Promise<Answered> {
  const { method, path, header } = asked;
  try {
    if (!isMeantForUs(header('host') ?? '', served.listening, served.named())) {
      throw new RequestProblem('host-not-known');
    }
    if (method !== 'GET' && method !== 'HEAD') {
      throw new RequestProblem('method-not-allowed', null, { allow: 'GET, HEAD', connection: 'close' });
    }
    if (!path.startsWith('/')) throw new RequestProblem('bad-request');
    if (path.length > LONGEST_PATH) throw new RequestProblem('uri-too-long');
    return await route(asked, served);
  } catch (error) {
    return problemAnswer(problemOf(error, served.log), languageOf(asked, served.view.settings().page.language));
  }
}

async function route(asked: Asked, served: Served): Promise<Answered> {
  const { view } = served;
  const { path, search } = asked;
  if (path === '/metrics') return exposition(await served.metrics());
  if (path === '/probe') return exposition(await served.probe(asked));
  // The process runs, and its event loop turns: nothing else is a reason to restart it.
  if (path === '/healthz') return jsonNow(200, { status: 'alive' });
  if (path === '/readyz') return readiness(view);
  if (path === '/api' || path.startsWith('/api/')) return apiAnswer(asked, view);
  const host = asked.header('host');
  const page = await served.page(path, { view, search, origin: host === null ? null : `http://${host}/` });
  if (page !== null) return page;
  // Programs that accept JSON only get a problem; everybody else gets a page.
  const accepted = asked.header('accept') ?? '';
  if (/[/+]json\b/i.test(accepted) && !/text\/html/i.test(accepted)) throw new RequestProblem('not-found');
  const { missingPage } = await import('../page/routes.ts');
  return missingPage(path, languageOf(asked, view.settings().page.language), view);
}

function exposition(body: string): Answered {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body };
}

function jsonNow(status: number, value: Parameters<typeof json>[0]): Answered {
  return { ...json(value, { 'cache-control': 'no-store' }), status };
}

/** 200 when every site was checked and nothing prevents the monitor from working, otherwise 503 with what does. */
async function readiness(view: MonitorView): Promise<Answered> {
  const unreadable = await view.store.outboxState().then(
    () => [],
    () => ['store-unreadable'],
  );
  const troubles = [...new Set([...view.troubles(), ...unreadable])];
  if (view.ready() && troubles.length === 0) return jsonNow(200, { status: 'ready', troubles });
  return jsonNow(503, { status: troubles.length > 0 ? 'in-trouble' : 'starting', troubles });
}

/** A store that cannot be read now is neither the request's fault nor a bug. */
function problemOf(error: unknown, log: Log): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  const isStore = name === 'StoreError';
  log('error', isStore ? 'store-failed' : 'request-failed', { error: name, message });
  return new RequestProblem(isStore ? 'store-failed' : 'internal');
}

/*
 * Whether a request is meant for this server, by its `Host`.
 *
 * A page of some website can have its own name resolve to 127.0.0.1 and then read, in a browser on this machine, what
 * listens there (DNS rebinding). Who listens on this machine only therefore answers for names that no one else can
 * have. A server that listens for others is public, under whatever name.
 */

/** Names that always mean this machine (RFC 6761, section 6.3). */
const OWN_NAME = /^(?:.+\.)?localhost\.?$/;

export function isMeantForUs(host: string, listening: string, named: readonly string[]): boolean {
  if (scopeOf(listening) !== 'loopback') return true;
  const name = hostnameOf(host);
  if (name === null) return false;
  return isIP(name) !== 0 || OWN_NAME.test(name) || named.includes(name);
}

export function namedHosts(listen: Pick<ListenAddress, 'host'>, pageUrl: string | null): readonly string[] {
  const page = pageUrl !== null && URL.canParse(pageUrl) ? [new URL(pageUrl).hostname] : [];
  return [listen.host.toLowerCase(), ...page];
}

/** A host in small letters, without port and brackets; `null` if invalid. */
function hostnameOf(host: string): string | null {
  const found = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(host)?.groups;
  return (found?.['v6'] ?? found?.['name'] ?? null)?.toLowerCase() ?? null;
}
