/** Says which of a page's scripts the page may not start without. Pure. */
import type { RequiredFile } from './required-files.ts';

/** From here on the scripts in the page itself may be its engine (UTF-16 code units); settings and snippets are shorter. */
const SHORTEST_ENGINE = 4_000;

/** What hosts put in by themselves, and serve only where it is switched on. */
const OF_THE_HOST = /^\/(?:_vercel|cdn-cgi|\.netlify)\//;

/** Scripts that count visitors, as their names say. */
const COUNTERS =
  /(?:^|[/._-])(?:analytics|gtag|gtm|matomo|piwik|plausible|umami|fathom|insights|tracker|tracking|beacon|hotjar|clarity|telemetry)(?=[/._-]|$)/i;

/**
 * The files that a page wants, those of its scripts marked that are not its engine: what its host puts in, what counts
 * visitors beside other scripts, and classic scripts beside a module. A script that is the only one is the engine,
 * however it is loaded. What cannot be told is taken for the engine.
 */
export function withEngine(
  required: readonly RequiredFile[],
  page: URL,
  inlineScript: number,
): readonly RequiredFile[] {
  const scripts = required.filter((file) => isScript(file) && !isOfTheHost(file, page));
  const only = new Set(scripts.map(({ urls: [url] }) => url.href)).size === 1;
  const inPage = inlineScript >= SHORTEST_ENGINE;
  const others = scripts.filter((file) => !isCounter(file));
  // A module of another host may as well be the plugin of a classic engine.
  const modules = others.some(
    ({ module, aside, urls: [url] }) => module && aside === null && url.origin === page.origin,
  );
  const asideOf = (file: RequiredFile): RequiredFile['aside'] => {
    if (isOfTheHost(file, page)) return 'beside';
    if (only && !inPage) return null;
    if (isCounter(file) && (others.length > 0 || inPage)) return 'beside';
    return file.aside ?? (modules && !file.module ? 'beside' : null);
  };
  return required.map((file) => (isScript(file) ? { ...file, aside: asideOf(file) } : file));
}

const isScript = ({ kind, aside }: RequiredFile): boolean => kind === 'script' && aside !== 'nomodule';

const isOfTheHost = ({ urls: [url] }: RequiredFile, page: URL): boolean =>
  url.origin === page.origin && OF_THE_HOST.test(url.pathname);

const isCounter = ({ urls: [url] }: RequiredFile): boolean => COUNTERS.test(url.pathname);
