/** What a round over the five tells of the deploy that is live. */
import { defaultChecks } from '../../../checks/index.ts';
import { toldAt } from '../../../checks/deployed-version/place.ts';
import { toldByBundle, type Told } from '../../../checks/deployed-version/told.ts';
import { bodyHash } from '../../body-hash.ts';
import type { Answer, Reply, Report, VersionPlace } from '../../check.ts';
import { isHtmlDocument } from '../../parse/html.ts';
import { shortHash } from '../incident/deploy.ts';
import type { Observation } from '../incident/incident.ts';

const FIVE: ReadonlySet<string> = new Set(defaultChecks.map(({ id }) => id));
const BUNDLE = 'index.html';
/** The beginning of a body, in bytes, by which a page is recognised. */
const BEGINNING = 4_096;
/** A longer text is no version. In UTF-16 code units. */
const LONGEST_VERSION = 100;
/** Answers that are looked at: the five, and the site's own checks beside them. */
const MOST_ANSWERS = 50;

/** What came for one request. */
interface Came {
  readonly hash: string;
  readonly isPage: boolean;
}

/** Reads the version that a site tells in what the five ask for anyway. One for a site: what it has read it knows again. */
export class VersionReader {
  readonly #from: VersionPlace | null;
  readonly #url: string;
  /** What the body told that was read last: the same bytes come round after round. */
  #known: { readonly hash: string; readonly told: readonly Told[] } | null = null;

  /** Names of headers that tell no version, whatever they say: hosts send the same ones each time. */
  #silentHeaders: string | null = null;

  /** `from`: where the configuration says that the version is. */
  constructor(base: URL, from: VersionPlace | null) {
    this.#from = from;
    this.#url = new URL(from?.path ?? BUNDLE, base).href;
  }

  /** Whether a request is the one whose answer tells the version. */
  isAt(url: string): boolean {
    return url === this.#url;
  }

  /** The version in such an answer; `null`: it tells none. `hash`: of its body. */
  read(reply: Reply, hash: string): string | null {
    if (this.#known?.hash !== hash) this.#known = { hash, told: this.#toldBy(reply) };
    // Headers may be others with the same body.
    const [version] = [...this.#known.told, ...this.#toldByHeaders(reply)].map(({ text }) => text.trim());
    return version === undefined || version === '' || version.length > LONGEST_VERSION ? null : version;
  }

  #toldByHeaders(reply: Reply): readonly Told[] {
    if (this.#from !== null) return [];
    const names = reply.headers.names().join(' ');
    if (names === this.#silentHeaders) return [];
    const told = toldByBundle({ ...reply, body: NOTHING }, BUNDLE)
      .flat()
      .filter(isNamed);
    if (told.length === 0) this.#silentHeaders = names;
    return told;
  }

  #toldBy(reply: Reply): readonly Told[] {
    if (this.#from === null) return (toldByBundle(reply, BUNDLE)[0] ?? []).filter(isNamed);
    const told = toldAt(reply, this.#from);
    return typeof told === 'string' ? [] : told.filter(({ named }) => named);
  }
}

/** Whether it is said to be the version of the site, and can be nothing else. */
const isNamed = ({ itself }: Told): boolean => itself === true;

const NOTHING = new Uint8Array();

/** What one round over the five saw of the site's files. */
export class Contents {
  readonly #versions: VersionReader;
  readonly #came = new Map<string, Came>();
  #version: string | null = null;

  constructor(versions: VersionReader) {
    this.#versions = versions;
  }

  /** Takes up an answer of the round. */
  heard(answer: Answer): void {
    if (!isFile(answer) || this.#came.size >= MOST_ANSWERS) return;
    const { requestUrl, body } = answer;
    const hash = shortHash(bodyHash(body));
    this.#came.set(requestUrl, { hash, isPage: isPageIn(body) });
    if (this.#versions.isAt(requestUrl)) this.#version = this.#versions.read(answer, hash);
  }

  /** What the round tells, once it has ended. What a host answers for everything is no file of the site. */
  of({ checks }: Pick<Report, 'checks'>): Pick<Observation, 'version' | 'contents'> {
    const files = checks.flatMap(({ id, url }) => {
      const came = FIVE.has(id) ? this.#came.get(url) : undefined;
      return came === undefined ? [] : [{ id, url, ...came }];
    });
    const isAlike = new Set(files.map(({ url }) => url)).size > 1 && new Set(files.map(({ hash }) => hash)).size === 1;
    const own = files.filter(({ id, isPage }) => id === 'bundle' || !isPage);
    return {
      version: isAlike ? null : this.#version,
      contents: Object.fromEntries(isAlike ? [] : own.map(({ id, hash }) => [id, hash])),
    };
  }
}

/** White space may stand before a page; what begins with anything else but a tag is none. */
const BEFORE_PAGE = /^[<\s]/;

function isPageIn(body: Uint8Array): boolean {
  if (!BEFORE_PAGE.test(String.fromCharCode(body[0] as number))) return false;
  return isHtmlDocument(Buffer.from(body.buffer, body.byteOffset, Math.min(BEGINNING, body.length)).toString('latin1'));
}

/** Whether something came from where it was asked for: no error, no other site's page to log in. */
function isFile(answer: Answer): answer is Reply {
  return (
    answer.kind === 'reply' &&
    answer.status === 200 &&
    answer.body.length > 0 &&
    (answer.url === answer.requestUrl || new URL(answer.url).origin === new URL(answer.requestUrl).origin)
  );
}
