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

export type VersionReader = ReturnType<typeof createVersionReader>;

/**
 * Makes what reads the version that a site publishes in the files of the core checks. One per site: it recognises what it
 * has read. `from`: where the configuration says that the version is.
 */
export function createVersionReader(base: URL, from: VersionLocation | null) {
  const address = new URL(from?.path ?? BUNDLE, base).href;
  /** The result for the body that was read last: the same bytes arrive run after run. */
  let known: { readonly hash: string; readonly reported: readonly VersionText[] } | null = null;

  const reportedByHeaders = (reply: Reply): readonly VersionText[] =>
    from === null
      ? versionTextsInBundle({ ...reply, body: NOTHING }, BUNDLE)
          .flat()
          .filter(isNamed)
      : [];
  const reportedBy = (reply: Reply): readonly VersionText[] => {
    if (from === null) return (versionTextsInBundle(reply, BUNDLE)[0] ?? []).filter(isNamed);
    const reported = versionTextsAt(reply, from);
    return typeof reported === 'string' ? [] : reported.filter(({ named }) => named);
  };
  /** The version in an answer; `null`: it has none, or is not where the version is. `hash`: of its body. */
  return (reply: Reply, hash: string): string | null => {
    if (reply.requestUrl !== address) return null;
    if (known?.hash !== hash) known = { hash, reported: reportedBy(reply) };
    // Headers may be others with the same body.
    const [version = ''] = [...known.reported, ...reportedByHeaders(reply)].map(({ text }) => text.trim());
    return version === '' || version.length > LONGEST_VERSION ? null : version;
  };
}

/** Whether it is said to be the version of the site, and can be nothing else. */
const isNamed = ({ itself }: VersionText): boolean => itself === true;

const NOTHING = new Uint8Array();

/** Collects what one run over the core checks sees of the site's files. */
export function collectContents(readVersion: VersionReader) {
  const received = new Map<string, { readonly hash: string; readonly isPage: boolean }>();
  let version: string | null = null;
  return {
    add(answer: Answer): void {
      if (!isFile(answer) || received.size >= MOST_ANSWERS) return;
      const hash = contentHash(answer.body);
      received.set(answer.requestUrl, { hash, isPage: isPageIn(answer.body) });
      version = readVersion(answer, hash) ?? version;
    },
    /** The result of the run, once it has ended. The host's answer for everything does not count as a file. */
    of({ checks }: Pick<Report, 'checks'>): Pick<Observation, 'version' | 'contents'> {
      const files = checks.flatMap(({ id, role, url }) => {
        const file = CORE.has(id) ? received.get(url) : undefined;
        return file === undefined ? [] : [{ id, role, url, ...file }];
      });
      const isOneForAll =
        new Set(files.map(({ url }) => url)).size > 1 && new Set(files.map(({ hash }) => hash)).size === 1;
      if (isOneForAll) return { version: null, contents: {} };
      const own = files.filter(({ role, isPage }) => role === 'bundle' || !isPage);
      return { version, contents: Object.fromEntries(own.map(({ id, hash }) => [id, hash])) };
    },
  };
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
