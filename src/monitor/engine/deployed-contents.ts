/** What a run of the core checks shows of the live deployment: the site's version, and hashes of its files. */
import type { Answer, Reply, Report } from '../../check.ts';
import { defaultChecks } from '../../../checks/index.ts';
import {
  versionTextsAt,
  versionTextsInHeaders,
  versionTextsInPage,
  type VersionText,
} from '../../../checks/deployed-version/version-texts.ts';
import { isHtmlDocument } from '../../parse/html.ts';
import { contentHash } from '../incident/deploy.ts';
import type { Observation } from '../incident/incident.ts';
import type { Checking } from '../settings.ts';

const CORE: ReadonlySet<string> = new Set(defaultChecks.map(({ id }) => id));
const BUNDLE = 'index.html';
/** The beginning of a body, in bytes, by which a page is recognised. */
const BEGINNING = 4_096;
/** A longer text is not a version. In UTF-16 code units. */
const LONGEST_VERSION = 100;
/** Answers that are checked: the core checks, and the site's own checks beside them. */
const MOST_ANSWERS = 50;

/** What was read last with the settings of a site: the same bytes come run after run, and a pattern of a user may be slow. */
const readLast = new WeakMap<VersionSettings, { readonly hash: string; readonly texts: readonly VersionText[] }>();

type VersionSettings = Pick<Checking, 'versionFrom'>;

/** `settings`: the same object as long as the configuration is the same. */
function versionTextsIn(reply: Reply, hash: string, settings: VersionSettings): readonly VersionText[] {
  const known = readLast.get(settings);
  if (known?.hash === hash) return known.texts;
  const { versionFrom: from } = settings;
  const found = from === null ? versionTextsInPage(reply, BUNDLE) : versionTextsAt(reply, from);
  const texts = typeof found === 'string' ? [] : found;
  readLast.set(settings, { hash, texts });
  return texts;
}

/** The version that the site publishes in an answer; `null`: it has none, or is not where the configuration says that it is. */
function versionIn(reply: Reply, hash: string, base: string, settings: VersionSettings): string | null {
  const { versionFrom: from } = settings;
  if (reply.requestUrl !== new URL(from?.path ?? BUNDLE, base).href) return null;
  const texts = versionTextsIn(reply, hash, settings);
  // In the bundle and its headers, what can be nothing else.
  const reported =
    from === null
      ? [...texts, ...versionTextsInHeaders(reply.headers, BUNDLE)].find(({ itself }) => itself === true)
      : texts.find(({ named }) => named);
  const version = reported?.text.trim() ?? '';
  return version === '' || version.length > LONGEST_VERSION ? null : version;
}

/** Collects what one run over the core checks sees of the site's files. `settings`: as of {@link versionTextsIn}. */
export function collectContents(base: string, settings: VersionSettings) {
  const received = new Map<string, { readonly hash: string; readonly isPage: boolean }>();
  let version: string | null = null;
  return {
    add(answer: Answer): void {
      if (!isFile(answer) || received.size >= MOST_ANSWERS) return;
      const hash = contentHash(answer.body);
      received.set(answer.requestUrl, { hash, isPage: isPageIn(answer.body) });
      version = versionIn(answer, hash, base, settings) ?? version;
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
