/** The library: what the command does, for programs. */
export { parseBaseUrl, type BaseUrl, type BaseUrlProblem } from './base-url.ts';
export * from './check.ts';
export { checkSite, type CheckSiteOptions } from './check-site.ts';
export { checks, defaultChecks } from '../checks/index.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type { ConfigFile } from './generated/config-file.ts';
export type { ResolveRule } from './http/connect.ts';
export { REASONS, type Reason } from './http/reasons.ts';
export {
  toDocument,
  type CheckDocument,
  type FindingDocument,
  type LocationDocument as PlaceDocument,
  type ReportDocument,
} from './report/document.ts';
export type { Locate, RepositoryLocation as RepositoryPlace } from './report/location.ts';
export type { RuleSeverity as RuleGrade } from './run.ts';
export type { Setting, Settings } from './engines/engine.ts';
export { LANGUAGES, loadTexts, type CheckText, type FindingText, type Language, type Texts } from './texts.ts';
export { exitStatus } from './verdict.ts';
export { waitForSite, type WaitState as RoundState, type Surroundings, type Wait, type Waiting } from './wait/wait.ts';
