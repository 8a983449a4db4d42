import type { HostKind } from '../check.ts';
import { netlifyConfiguration } from './netlify.ts';
import { nginxConfiguration } from './nginx.ts';
import { platformConfiguration } from './platform.ts';
import type { ConfigurationRequest } from './rules.ts';
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

const MAKERS: Readonly<Record<HostKind, (request: ConfigurationRequest) => HostConfiguration>> = {
  server: (request) => ({ files: [{ name: 'docs.conf', text: nginxConfiguration(request) }], notes: null }),
  platform: platformConfiguration,
  worker: (request) => ({ files: workerConfiguration(request), notes: null }),
};

/** The configuration of a host that serves a site by the rules of the request. */
export function hostConfiguration(request: ConfigurationRequest): HostConfiguration {
  if (request.product === 'netlify') return { files: netlifyConfiguration(request), notes: null };
  return MAKERS[request.kind](request);
}
