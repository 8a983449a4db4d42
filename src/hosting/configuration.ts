import type { HostKind } from '../check.ts';
import type { HostRules } from './rules.ts';
import { nginxConfiguration } from './nginx.ts';
import { platformConfiguration } from './platform.ts';
import { workerConfiguration } from './worker.ts';

/** A file to deploy with the site. */
export interface HostFile {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** Everything that makes a host serve a site by its rules. */
export interface HostConfiguration {
  readonly files: readonly HostFile[];
  /** What cannot be said in the files themselves, because their format has no comments. */
  readonly notes: HostFile | null;
}

const MAKERS: Readonly<Record<HostKind, (rules: HostRules) => HostConfiguration>> = {
  server: (rules) => ({ files: [{ name: 'docs.conf', text: nginxConfiguration(rules) }], notes: null }),
  platform: platformConfiguration,
  worker: (rules) => ({ files: workerConfiguration(rules), notes: null }),
};

/** The configuration of a host that follows `rules`. */
export function hostConfiguration(rules: HostRules): HostConfiguration {
  return MAKERS[rules.kind](rules);
}
