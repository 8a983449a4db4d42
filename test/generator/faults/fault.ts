/** The vocabulary of seeded faults: one thing that is wrong with a deployment, and all that may be said of it. */
import type { HostKind } from '../../../src/site/host-product.ts';
import type { Location } from '../../../src/core/finding.ts';
import type { RunRequest } from '../../../src/site/types.ts';
import type { Codes } from '../codes.ts';
import { text, type Deployment, type HostReply, type HostRequest, type HostRules } from '../deployment.ts';
import type { Random } from '../random.ts';
import type { SiteOptions, SitePage } from '../site.ts';

/** What a fault wants of the site and of the run. */
export interface FaultOptions {
  /** The kinds of host that it is seeded on; one of the three, in turn, where not given. */
  readonly kinds?: readonly HostKind[];
  /** What the site has to be like. */
  readonly site?: Partial<Pick<SiteOptions, 'pages' | 'depth' | 'languages' | 'base'>>;
  /** Served over TLS, with a trusted certificate that ends in so many days. */
  readonly secureDays?: number;
  /** Codes that the host's own rules cause and that this fault leaves no room for, by check. */
  readonly hides?: Codes;
  /** What else the user asks for. */
  readonly wants?: (
    deployment: Deployment,
  ) => Promise<Partial<Pick<RunRequest, 'source' | 'expected' | 'external' | 'host'>>>;
  /** Takes away what the fault left on this machine. */
  readonly clean?: (deployment: Deployment) => void;
}

/** What the finding has to say. */
export interface SeededFinding {
  readonly check: string;
  readonly code: string;
  /** One of the places that it names. */
  readonly location: Location;
  /** The file that it says was meant. */
  readonly suggestion?: string | undefined;
}

export interface Fault extends FaultOptions {
  readonly name: string;
  /** Puts the fault in; may tell where it has to be found. */
  seed(deployment: Deployment, drawn: Random): SeededFinding | undefined;
  /** Codes of errors, warnings and unknowns by check, all of them; checks that are not named have none. */
  readonly expected: Codes | ((kind: HostKind) => Codes);
}

type Seed = (deployment: Deployment, drawn: Random) => SeededFinding | undefined | void;

/** One row. */
export function fault(name: string, expected: Fault['expected'], seed: Seed, options: FaultOptions = {}): Fault {
  return { name, expected, seed: (deployment, drawn) => seed(deployment, drawn) ?? undefined, ...options };
}

/** Pages that a link may be added to or that may be broken: no home page, no folder's index. */
export function plainPages({ site }: Deployment): readonly SitePage[] {
  const [first] = site.options.languages;
  return site.pages.filter(({ path, language }) => language === first && !path.endsWith('index.md'));
}

/** Adds a paragraph at the end of a file and shows where `link` stands in it. */
export function append(deployment: Deployment, path: string, paragraph: string, link = paragraph): Location {
  const before = text(deployment.files.get(path));
  const after = `${before}\n${paragraph}\n`;
  deployment.files.set(path, after);
  const lines = after.slice(0, after.lastIndexOf(link)).split('\n');
  return { path, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** A new page that the home page leads to. */
export function addPage(deployment: Deployment, path: string): string {
  deployment.files.set(path, `# New page\n\n${'The lamp is lit half an hour before the sun goes down. '.repeat(20)}\n`);
  append(deployment, 'index.md', `[New page](<${path}>)`);
  return path;
}

/** Replaces part of a file; throws where it is not there, so that no fault is seeded by mistake. */
export function edit(deployment: Deployment, path: string, from: string | RegExp, to: string): void {
  const before = text(deployment.files.get(path));
  const after = before.replace(from, () => to);
  if (after === before) throw new Error(`${path} has no ${String(from)}`);
  deployment.files.set(path, after);
}

export function change(deployment: Deployment, rules: Partial<HostRules>): void {
  deployment.rules = { ...deployment.rules, ...rules };
}

/** Changes replies to requests for a path, which is relative to the base. */
export function changeReply(
  deployment: Deployment,
  path: string,
  changed: (reply: HostReply, request: HostRequest) => Partial<HostReply>,
): void {
  const { change: before } = deployment.rules;
  const wanted = decodeURIComponent(deployment.site.options.base) + path;
  change(deployment, {
    change: (request, reply, of) => {
      const as = before(request, reply, of);
      return request.path === wanted ? { ...as, ...changed(as, request) } : as;
    },
  });
}

/** Changes headers of all replies that `applies` to. */
export function changeHeaders(
  deployment: Deployment,
  headers: HostReply['headers'],
  applies: (request: HostRequest, reply: HostReply) => boolean = () => true,
): void {
  const { finish: before } = deployment.rules;
  change(deployment, {
    finish: (request, reply) => {
      const as = before(request, reply);
      return applies(request, as) ? { ...as, headers: { ...as.headers, ...headers } } : as;
    },
  });
}

/** `README.md` for `readme.md`: the other letter case, letter by letter. */
export const otherCase = (name: string): string =>
  name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const ALL_KINDS: readonly HostKind[] = ['server', 'platform', 'worker'];
/** The kinds that negotiate. */
export const NOT_SERVER: readonly HostKind[] = ['platform', 'worker'];
