/** What a run of the core checks shows of the live deployment: the site's version, and hashes of its files. */
import type { Answer, Reply, Report, VersionLocation } from '../../check.ts';
import { defaultChecks } from '../../../checks/index.ts';
import {
  versionTextsAt,
  versionTextsInBundle,
  type VersionText,
} from '../../../checks/deployed-version/version-texts.ts';
import { isHtmlDocument } from '../../parse/html.ts';
import { contentHash } from '../incident/deploy.ts';
import type { Observation } from '../incident/incident.ts';

const CORE: ReadonlySet<string> = new Set(defaultChecks.map(({ id }) => id));
const BUNDLE = 'index.html';
/** The beginning of a body, in bytes, by which a page is recognised. */
const BEGINNING = 4_096;
/** A longer text is not a version. In UTF-16 code units. */
const LONGEST_VERSION = 100;
/** Answers that are checked: the core checks, and the site's own checks beside them. */
const MOST_ANSWERS = 50;

interface Received {
  readonly hash: string;
  readonly isPage: boolean;
}

/** Reads the version that a site publishes in the files of the core checks. One per site: it recognises what it has read. */
export class VersionReader {
  readonly #from: VersionLocation | null;
  readonly #url: string;
  /** The result for the body that was read last: the same bytes arrive run after run. */
  #known: { readonly hash: string; readonly reported: readonly VersionText[] } | null = null;

  /** `from`: where the configuration says that the version is. */
  constructor(base: URL, from: VersionLocation | null) {
    this.#from = from;
    this.#url = new URL(from?.path ?? BUNDLE, base).href;
  }

  isAt(url: string): boolean {
    return url === this.#url;
  }

  /** The version in such an answer; `null`: it has none. `hash`: of its body. */
  read(reply: Reply, hash: string): string | null {
    if (this.#known?.hash !== hash) this.#known = { hash, reported: this.#reportedBy(reply) };
    // Headers may be others with the same body.
    const [version] = [...this.#known.reported, ...this.#reportedByHeaders(reply)].map(({ text }) => text.trim());
    return version === undefined || version === '' || version.length > LONGEST_VERSION ? null : version;
  }

  #reportedByHeaders(reply: Reply): readonly VersionText[] {
    if (this.#from !== null) return [];
    return versionTextsInBundle({ ...reply, body: NOTHING }, BUNDLE)
      .flat()
      .filter(isNamed);
  }

  #reportedBy(reply: Reply): readonly VersionText[] {
    if (this.#from === null) return (versionTextsInBundle(reply, BUNDLE)[0] ?? []).filter(isNamed);
    const reported = versionTextsAt(reply, this.#from);
    return typeof reported === 'string' ? [] : reported.filter(({ named }) => named);
  }
}

/** Whether it is said to be the version of the site, and can be nothing else. */
const isNamed = ({ itself }: VersionText): boolean => itself === true;

const NOTHING = new Uint8Array();

/** What one run over the core checks saw of the site's files. */
export class Contents {
  readonly #versions: VersionReader;
  readonly #came = new Map<string, Received>();
  #version: string | null = null;

  constructor(versions: VersionReader) {
    this.#versions = versions;
  }

  add(answer: Answer): void {
    if (!isFile(answer) || this.#came.size >= MOST_ANSWERS) return;
    const { requestUrl, body } = answer;
    const hash = contentHash(body);
    this.#came.set(requestUrl, { hash, isPage: isPageIn(body) });
    if (this.#versions.isAt(requestUrl)) this.#version = this.#versions.read(answer, hash);
  }

  /** The result of the run, once it has ended. The host's answer for everything does not count as a file. */
  of({ checks }: Pick<Report, 'checks'>): Pick<Observation, 'version' | 'contents'> {
    const files = checks.flatMap(({ id, role, url }) => {
      const came = CORE.has(id) ? this.#came.get(url) : undefined;
      return came === undefined ? [] : [{ id, role, url, ...came }];
    });
    const isAlike = new Set(files.map(({ url }) => url)).size > 1 && new Set(files.map(({ hash }) => hash)).size === 1;
    const own = files.filter(({ role, isPage }) => role === 'bundle' || !isPage);
    return {
      version: isAlike ? null : this.#version,
      contents: Object.fromEntries(isAlike ? [] : own.map(({ id, hash }) => [id, hash])),
    };
  }
}

function isPageIn(body: Uint8Array): boolean {
  return isHtmlDocument(Buffer.from(body.buffer, body.byteOffset, Math.min(BEGINNING, body.length)).toString('latin1'));
}

/** Whether something came from where it was requested: no error, no other site's page to log in. */
function isFile(answer: Answer): answer is Reply {
  return (
    answer.kind === 'reply' &&
    answer.status === 200 &&
    answer.body.length > 0 &&
    (answer.url === answer.requestUrl || new URL(answer.url).origin === new URL(answer.requestUrl).origin)
  );
}
