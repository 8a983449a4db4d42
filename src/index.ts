/** The library: what the command does, for programs. */
export { parseBaseUrl, type BaseUrl, type BaseUrlProblem } from './core/base-url.ts';
export type * from './core/answer.ts';
export type * from './core/check.ts';
export type * from './core/finding.ts';
export type * from './core/gathered.ts';
export type * from './site/types.ts';
export type { Crawl, CrawlLinks, LeftOut, MissingAnchor } from './crawl/crawl.ts';
export type { Diagnosis, Misspelling } from './crawl/diagnose.ts';
export type { CrawledFile, ExternalTarget, LinkedFrom, LinkMistake } from './crawl/frontier.ts';
export type { HostKind } from './site/host-product.ts';
export type { Hosting } from './site/hosting.ts';
export type { MissingKind, MissingProbe, NotFound } from './site/not-found.ts';
export { checkSite, type CheckSiteOptions } from './core/check-site.ts';
export { checks, defaultChecks } from '../checks/index.ts';
export { DEFAULT_LIMITS, type Limits } from './core/limits.ts';
export type { ConfigFile } from './generated/config-file.ts';
export type { ResolveRule } from './http/connect.ts';
export { REASONS, type Reason } from './http/reasons.ts';
export {
  toDocument,
  type CheckDocument,
  type FindingDocument,
  type LocationDocument,
  type ReportDocument,
} from './report/document.ts';
export type { Locate, RepositoryLocation } from './report/location.ts';
export type { RuleSeverity } from './core/run.ts';
export type { Setting, Settings } from './engines/engine.ts';
export { LANGUAGES, type Language } from './locales/language.ts';
export { loadTexts, type CheckText, type FindingText, type Texts } from './report/texts.ts';
export { exitStatus } from './core/verdict.ts';
export { waitForSite, type WaitState, type Dependencies, type Wait, type Waiting } from './wait/wait.ts';
