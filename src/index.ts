/** The library: what the command does, for programs. */
export { parseBaseUrl, type BaseUrl, type BaseUrlProblem } from './core/base-url.ts';
export * from './core/check.ts';
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
  type LocationDocument as PlaceDocument,
  type ReportDocument,
} from './report/document.ts';
export type { Locate, RepositoryLocation as RepositoryPlace } from './report/location.ts';
export type { RuleSeverity as RuleGrade } from './core/run.ts';
export type { Setting, Settings } from './engines/engine.ts';
export { LANGUAGES, type Language } from './locales/language.ts';
export { loadTexts, type CheckText, type FindingText, type Texts } from './report/texts.ts';
export { exitStatus } from './core/verdict.ts';
export { waitForSite, type WaitState as RoundState, type Surroundings, type Wait, type Waiting } from './wait/wait.ts';
