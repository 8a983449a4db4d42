/** What is answered to which request. */
import type { Log } from '../log/write.ts';
import type { pageFor } from '../page/routes.ts';
import type { MonitorView } from '../view.ts';
import type { Answered, Asked } from './answer.ts';
import { apiAnswer } from './api/routes.ts';
import { healthz, readyz } from './health.ts';
import { isMeantForUs } from './hosts.ts';
import { languageOf } from './language.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Probe } from './probe/probe.ts';
import { problemAnswer, RequestProblem } from './problem.ts';

/** What is served. */
export interface Served {
  readonly view: MonitorView;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly probe: Probe;
  readonly page: typeof pageFor;
  /** The address that the server listens on. */
  readonly listening: string;
  /** Hosts that the configuration names. */
  readonly named: () => readonly string[];
}

const LONGEST_PATH = 2_048;

/** Answers a request. Never rejects: what cannot be answered is reported as a problem. */
export async function respond(asked: Asked & { readonly method: string }, served: Served): Promise<Answered> {
  try {
    demandSense(asked, served);
    return await route(asked, served);
  } catch (error) {
    return problemAnswer(problemOf(error, served.log), languageOf(asked, served.view.settings().page.language));
  }
}

function demandSense({ method, path, header }: Asked & { readonly method: string }, served: Served): void {
  if (!isMeantForUs(header('host') ?? '', served.listening, served.named())) {
    throw new RequestProblem('host-not-known');
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new RequestProblem('method-not-allowed', null, { allow: 'GET, HEAD', connection: 'close' });
  }
  if (!path.startsWith('/')) throw new RequestProblem('bad-request');
  if (path.length > LONGEST_PATH) throw new RequestProblem('uri-too-long');
}

async function route(asked: Asked, served: Served): Promise<Answered> {
  const { view } = served;
  switch (asked.path) {
    case '/metrics':
      return served.metrics();
    case '/probe':
      return served.probe(asked);
    case '/healthz':
      return healthz();
    case '/readyz':
      return readyz(view);
    default: {
      if (asked.path === '/api' || asked.path.startsWith('/api/')) return apiAnswer(asked, view);
      const host = asked.header('host');
      const origin = host === null ? null : `http://${host}/`;
      const page = await served.page(asked.path, { view, search: asked.search, origin });
      return page ?? nothingAt(asked, view);
    }
  }
}

/** Programs that ask for JSON get a problem; everybody else gets a page. */
async function nothingAt(asked: Asked, view: MonitorView): Promise<Answered> {
  const accepted = asked.header('accept') ?? '';
  if (/[/+]json\b/i.test(accepted) && !/text\/html/i.test(accepted)) throw new RequestProblem('not-found');
  const { missingPage } = await import('../page/routes.ts');
  return missingPage(asked.path, languageOf(asked, view.settings().page.language), view);
}

/** A store that cannot be read now is no fault of the request, nor a defect. */
function problemOf(error: unknown, log: Log): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  const isStore = name === 'StoreError';
  log('error', isStore ? 'store-failed' : 'request-failed', { error: name, message });
  return new RequestProblem(isStore ? 'store-failed' : 'internal');
}
