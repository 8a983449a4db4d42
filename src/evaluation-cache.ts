/**
 * What judges said of bodies that came before. A site that is watched sends the same bytes run after run: they are
 * parsed once, and known again by their hash.
 */
import { hash } from 'node:crypto';
import { bodyHash } from './body-hash.ts';
import type { Answer, Check, RawFinding, Gathered, Reply } from './check.ts';

/** What a judge says, by what it was shown. One for a process; a run without it judges everything again. */
export interface EvaluationCache {
  /**
   * What the check's judge says of what was gathered: known from before, or `judge`'s own word. What a judge checked
   * is noted while it does, header by header, and only the same things count as the same.
   */
  evaluate(
    check: Check,
    gathered: Gathered,
    evaluate: (gathered: Gathered) => Promise<readonly RawFinding[]>,
  ): Promise<readonly RawFinding[]>;
}

/** A header of an answer; `*`: which headers there are. */
interface ReadHeader {
  readonly answer: string;
  readonly header: string;
  readonly reported: readonly string[];
}

interface Remembered {
  /** About what it takes in memory, in bytes. */
  readonly bytes: number;
  /** The headers that the evaluation read, and their values. */
  readonly headers: readonly ReadHeader[];
  readonly findings: readonly RawFinding[];
}

/**
 * What is kept, in bytes: enough for the core checks of ten thousand sites that are well. Where it were too little for one run of
 * all, nothing would be known again.
 */
const MOST_BYTES = 64 * 1024 * 1024;
/** A judgement without anything to say. */
const LEAST_BYTES = 512;
/** A longer key is kept as its hash. */
const LONGEST_KEY = 1_024;
/** What is said at length is rare, and is said again. In UTF-16 code units of its JSON. */
const LONGEST_REMEMBERED = 8_192;

/** What is not the same in two answers with the same content: a judge that reads one of these is asked each time. */
const VOLATILE = ['timings', 'attempts', 'address', 'tls', 'encodedBytes'] as const;

/** A memory for one process. What was not requested the longest is forgotten first. */
export function createEvaluationCache(mostBytes = MOST_BYTES): EvaluationCache {
  const remembered = new Map<string, Remembered>();
  let bytes = 0;
  const names = new WeakMap<Check, number>();
  let checks = 0;

  const nameOf = (check: Check): number => {
    const known = names.get(check) ?? (checks += 1);
    names.set(check, known);
    return known;
  };
  const forget = (key: string): void => {
    bytes -= remembered.get(key)?.bytes ?? 0;
    remembered.delete(key);
  };
  const keep = (key: string, entry: Remembered): void => {
    forget(key);
    remembered.set(key, entry);
    bytes += entry.bytes;
    if (bytes <= mostBytes) return;
    for (const oldest of remembered.keys()) {
      if (bytes <= mostBytes) break;
      forget(oldest);
    }
  };

  return {
    async evaluate(check, gathered, evaluate) {
      const key = keyOf(nameOf(check), gathered);
      if (key === null) return evaluate(gathered);
      const known = remembered.get(key);
      if (known !== undefined && areSameHeaders(known.headers, gathered)) {
        keep(key, known);
        return known.findings;
      }
      const recorded = recording(gathered);
      const findings = await evaluate(recorded.gathered);
      const plain = recorded.isVolatile() ? null : lasting(findings);
      if (plain !== null)
        keep(key, { headers: recorded.headers, findings: plain, bytes: bytesOf(key, recorded.headers, plain) });
      return findings;
    },
  };
}

/** All that a judge can see at once, with hashes for bodies; `null`: an answer did not come, which is evaluated quickly. */
function keyOf(check: number, gathered: Gathered): string | null {
  if (gathered.answer?.kind !== 'reply') return null;
  let key = String(check);
  for (const name in gathered) {
    const value: unknown = gathered[name as keyof Gathered];
    key += `\n${name}\n${isAnswer(value) ? answerKey(value) : JSON.stringify(value)}`;
  }
  return key.length > LONGEST_KEY ? hash('sha256', key) : key;
}

/** Nothing that stands between two of these line ends has one in it: no URL, no hash, no JSON. */
function answerKey(answer: Answer): string {
  const { kind, requestUrl, url, redirects } = answer;
  const values = kind === 'reply' ? `${answer.status}\n${bodyHash(answer.body)}` : answer.reason;
  const way = redirects.length === 0 ? '' : JSON.stringify(redirects);
  return `${kind}\n${values}\n${requestUrl}\n${url === requestUrl ? '' : url}\n${way}`;
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'kind' in value && 'requestUrl' in value;
}

function areSameHeaders(read: readonly ReadHeader[], gathered: Gathered): boolean {
  return read.every(({ answer: name, header, reported: values }) => {
    const answer: unknown = gathered[name as keyof Gathered];
    return isAnswer(answer) && answer.kind === 'reply' && isSameList(headerValues(answer, header), values);
  });
}

/** What an answer says under a header's name; `*`: which headers there are. */
function headerValues({ headers }: Reply, header: string): readonly string[] {
  return header === '*' ? headers.names() : headers.all(header);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

interface Recording {
  readonly gathered: Gathered;
  readonly headers: readonly ReadHeader[];
  /** Whether something was read that is another with each answer. */
  isVolatile(): boolean;
}

/** The same, noting what is read of it. */
function recording(gathered: Gathered): Recording {
  const headers: ReadHeader[] = [];
  let isVolatile = false;
  const watchedAnswer = (name: string, answer: Answer): Answer => {
    const own: Answer =
      answer.kind === 'no-reply' ? { ...answer } : { ...answer, headers: watchedHeaders(name, answer) };
    for (const field of answer.kind === 'no-reply' ? ([...VOLATILE, 'evidence'] as const) : VOLATILE) {
      Object.defineProperty(own, field, {
        enumerable: true,
        get: () => {
          isVolatile = true;
          return (answer as unknown as Readonly<Record<string, unknown>>)[field];
        },
      });
    }
    return own;
  };
  const watchedHeaders = (name: string, reply: Reply): Reply['headers'] => {
    const note = (header: string): void => {
      if (headers.some((read) => read.answer === name && read.header === header)) return;
      headers.push({ answer: name, header, reported: headerValues(reply, header) });
    };
    return {
      get: (header) => (note(header.toLowerCase()), reply.headers.get(header)),
      all: (header) => (note(header.toLowerCase()), reply.headers.all(header)),
      names: () => (note('*'), reply.headers.names()),
    };
  };
  const shown = Object.entries(gathered).map(([name, value]: [string, unknown]) => [
    name,
    isAnswer(value) ? watchedAnswer(name, value) : value,
  ]);
  return { gathered: Object.fromEntries(shown) as Gathered, headers, isVolatile: () => isVolatile };
}

/** Codes that say how a judge fared, not what it was shown. */
const PASSING: ReadonlySet<string> = new Set(['interrupted', 'parse-limit', 'internal-error', 'out-of-descriptors']);

/** Texts take up to two bytes a UTF-16 code unit; a key has one byte each. */
function bytesOf(key: string, headers: readonly ReadHeader[], findings: readonly RawFinding[]): number {
  return LEAST_BYTES + key.length + 2 * (JSON.stringify(headers).length + JSON.stringify(findings).length);
}

/** Findings that may be kept, without the texts that they were cut from; `null`: they may not. */
function lasting(findings: readonly RawFinding[]): readonly RawFinding[] | null {
  if (findings.some(({ rule }) => PASSING.has(rule))) return null;
  const text = JSON.stringify(findings);
  return text.length > LONGEST_REMEMBERED ? null : (JSON.parse(text) as readonly RawFinding[]);
}
