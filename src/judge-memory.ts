/**
 * What judges said of bodies that came before. A site that is watched sends the same bytes round after round: they are
 * parsed once, and known again by their hash.
 */
import { hash } from 'node:crypto';
import type { Answer, Check, Draft, Gathered, Reply } from './check.ts';

/** What a judge says, by what it was shown. One for a process; a run without it judges everything anew. */
export interface JudgeMemory {
  /**
   * What the check's judge says of what was gathered: known from before, or `judge`'s own word. What a judge looked at
   * is noted while it does, header by header, and only the same things count as the same.
   */
  judged(
    check: Check,
    gathered: Gathered,
    judge: (gathered: Gathered) => Promise<readonly Draft[]>,
  ): Promise<readonly Draft[]>;
}

interface Remembered {
  /** About what it takes in memory, in bytes. */
  readonly bytes: number;
  /** The headers that the judge asked for, by answer and name, and what it was told. */
  readonly headers: ReadonlyMap<string, string>;
  readonly drafts: readonly Draft[];
}

/** What is kept, in bytes: enough for the five of some thousand sites that are well, and their changes. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A judgement without anything to say, with its key. */
const LEAST_BYTES = 512;
/** What is said at length is rare, and is said anew. In UTF-16 code units of its JSON. */
const LONGEST_REMEMBERED = 8_192;

/** What is not the same in two answers with the same content: a judge that reads one of these is asked each time. */
const VOLATILE = ['timings', 'attempts', 'address', 'tls', 'encodedBytes'] as const;

/** A memory for one process. What was not asked for the longest is forgotten first. */
export function createJudgeMemory(mostBytes = MOST_BYTES): JudgeMemory {
  const remembered = new Map<string, Remembered>();
  let bytes = 0;
  const names = new WeakMap<Check, number>();
  const hashes = new WeakMap<Uint8Array, string>();
  let checks = 0;

  const nameOf = (check: Check): number => {
    const known = names.get(check) ?? (checks += 1);
    names.set(check, known);
    return known;
  };
  const hashOf = (body: Uint8Array): string => {
    const known = hashes.get(body) ?? hash('sha256', body);
    hashes.set(body, known);
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
    for (const oldest of remembered.keys()) {
      if (bytes <= mostBytes) break;
      forget(oldest);
    }
  };

  return {
    async judged(check, gathered, judge) {
      const key = keyOf(nameOf(check), gathered, hashOf);
      if (key === null) return judge(gathered);
      const known = remembered.get(key);
      if (known !== undefined && isSameSeen(known.headers, gathered)) {
        keep(key, known);
        return known.drafts;
      }
      const looking = watched(gathered);
      const drafts = await judge(looking.gathered);
      const plain = looking.isVolatile() ? null : lasting(drafts);
      if (plain !== null)
        keep(key, { headers: looking.headers, drafts: plain, bytes: bytesOf(looking.headers, plain) });
      return drafts;
    },
  };
}

/** All that a judge can see at once, hashed; `null`: an answer did not come, which is judged quickly. */
function keyOf(check: number, gathered: Gathered, hashOf: (body: Uint8Array) => string): string | null {
  if (gathered.answer?.kind !== 'reply') return null;
  const parts: unknown[] = [check];
  for (const [name, value] of Object.entries(gathered) as [string, unknown][]) {
    if (!isAnswer(value)) parts.push(name, value);
    else if (value.kind === 'no-reply')
      parts.push(name, value.kind, value.requestUrl, value.url, value.redirects, value.reason);
    else parts.push(name, value.status, value.requestUrl, value.url, value.redirects, hashOf(value.body));
  }
  return hash('sha256', JSON.stringify(parts));
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'kind' in value && 'requestUrl' in value;
}

function isSameSeen(headers: ReadonlyMap<string, string>, gathered: Gathered): boolean {
  const answers = new Map<string, unknown>(Object.entries(gathered));
  for (const [seen, told] of headers) {
    const [name = '', header = ''] = seen.split(' ');
    const answer = answers.get(name);
    if (!isAnswer(answer) || answer.kind !== 'reply' || toldBy(answer, header) !== told) return false;
  }
  return true;
}

/** What an answer says under a header's name; `*`: which headers there are. */
function toldBy({ headers }: Reply, header: string): string {
  return JSON.stringify(header === '*' ? headers.names() : headers.all(header));
}

interface Watched {
  readonly gathered: Gathered;
  readonly headers: ReadonlyMap<string, string>;
  /** Whether something was read that is another with each answer. */
  isVolatile(): boolean;
}

/** The same, noting what is read of it. */
function watched(gathered: Gathered): Watched {
  const headers = new Map<string, string>();
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
    const note = (header: string): void => void headers.set(`${name} ${header}`, toldBy(reply, header));
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

/** Texts take up to two bytes a UTF-16 code unit. */
function bytesOf(headers: ReadonlyMap<string, string>, drafts: readonly Draft[]): number {
  return LEAST_BYTES + 2 * (JSON.stringify([...headers]).length + JSON.stringify(drafts).length);
}

/** Drafts that may be kept, without the texts that they were cut from; `null`: they may not. */
function lasting(drafts: readonly Draft[]): readonly Draft[] | null {
  if (drafts.some(({ code }) => PASSING.has(code))) return null;
  const text = JSON.stringify(drafts);
  return text.length > LONGEST_REMEMBERED ? null : (JSON.parse(text) as readonly Draft[]);
}
