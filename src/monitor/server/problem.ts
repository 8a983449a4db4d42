/** Errors as the server reports them: problem details (RFC 9457), in the language of whoever asks. */
import type { Language } from '../../texts.ts';
import type { Answered } from './answer.ts';
import { apiWords } from '../../generated/locales/api.ts';

/** Everything that can be wrong with a request, and the status that says so. */
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
} as const satisfies Readonly<Record<string, number>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A request that is refused. Thrown by handlers, caught in one place. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly code: ProblemCode;
  /** The name of the parameter that is wrong; `null`: it is about none. Never what it holds. */
  readonly parameter: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, parameter: string | null = null, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.code = code;
    this.parameter = parameter;
    this.headers = headers;
  }
}

/**
 * The answer for a problem. It has no `type`, so that `title` says no more than the status does (RFC 9457, section
 * 4.2.1); `detail` is for people, and `code` for programs.
 */
export function problemAnswer({ code, parameter, headers }: RequestProblem, language: Language): Answered {
  const status = PROBLEMS[code];
  const { titles, details } = apiWords(language);
  const reported = {
    title: titles[status],
    status,
    detail: details[code](parameter ?? ''),
    code,
    ...(parameter === null ? {} : { parameter }),
  };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-store',
      ...headers,
    },
    body: `${JSON.stringify(reported)}\n`,
  };
}
