/** Errors as the server reports them: problem details (RFC 9457), in the language of the request. */
import { type Language, LANGUAGES } from '../../locales/language.ts';
import { apiWords } from '../../generated/locales/api.ts';
import type { Json } from '../../core/answer.ts';
import { weightsIn } from '../../hosting/accept.ts';

export const PROBLEMS = {
  'bad-request': 400,
  'bad-parameter': 400,
  'bad-target': 400,
  'unknown-module': 400,
  'target-not-allowed': 403,
  'not-found': 404,
  'unknown-site': 404,
  'unknown-incident': 404,
  'method-not-allowed': 405,
  'uri-too-long': 414,
  'host-not-known': 421,
  internal: 500,
  'store-failed': 503,
  'too-many-probes': 503,
  'target-held-back': 503,
} as const satisfies Readonly<Record<string, number>>;

/** A request that is refused. Thrown by handlers, caught in one place. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly problem;

  /** `parameter`: the name of the one that is wrong; `null`: it is about none. Never what it holds. */
  constructor(code: keyof typeof PROBLEMS, parameter: string | null = null, headers: HttpResponse['headers'] = {}) {
    super(code);
    this.problem = { code, parameter, headers };
  }
}

/**
 * The answer for a problem. It has no `type`, so that `title` says no more than the status does (RFC 9457, section
 * 4.2.1); `detail` is for people, and `code` for programs.
 */
export function problemAnswer({ problem }: RequestProblem, language: Language): HttpResponse {
  const { code, parameter, headers } = problem;
  const status = PROBLEMS[code];
  const { titles, details } = apiWords(language);
  const reported = {
    title: titles[status],
    status,
    detail: details[code](parameter ?? ''),
    code,
    ...(parameter === null ? {} : { parameter }),
  };
  const own = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
  };
  return json(reported, { ...own, ...headers }, status);
}

/* Requests and responses of the server, before they are compressed and sent. */

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes?: Uint8Array;
}

/** A request, as handlers see it: the method is GET, or HEAD of which only the headers of the response are sent. */
export interface HttpRequest {
  /** From its first slash on, percent-encoded as it came. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly header: (name: string) => string | null;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
}

/** JSON that caches may keep, but must revalidate each time: usually the response is 304. */
export function json(value: Json, headers: HttpResponse['headers'] = {}, status = 200): HttpResponse {
  const common = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };
  return { status, headers: { ...common, ...headers }, body: `${JSON.stringify(value)}\n` };
}

function namedLanguage({ search }: Pick<HttpRequest, 'search'>): Language | null {
  const given = search.get('lang')?.toLowerCase();
  return LANGUAGES.find((language) => language === given) ?? null;
}

/** The language in a request's `lang`; throws a `bad-parameter` for one that there are no texts in. */
export function demandedLanguage(request: Pick<HttpRequest, 'search'>): Language | null {
  const named = namedLanguage(request);
  if (named === null && request.search.get('lang')) throw new RequestProblem('bad-parameter', 'lang');
  return named;
}

export function languageOf(request: Pick<HttpRequest, 'search' | 'header'>, otherwise: Language): Language {
  return namedLanguage(request) ?? preferred(request.header('accept-language') ?? '') ?? otherwise;
}

/** The one of ours with the greatest weight in an `Accept-Language` (RFC 9110, section 12.5.4); the first of equals. */
function preferred(header: string): Language | null {
  const wanted = [...weightsIn(header)]
    .filter(([, weight]) => weight > 0)
    .toSorted(([, one], [, other]) => other - one);
  const ours = wanted.flatMap(([tag]) => LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`)) ?? []);
  return ours[0] ?? null;
}
