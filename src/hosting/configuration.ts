import { cloudflareConfiguration, netlifyConfiguration } from './edge.ts';
import { nginxConfiguration } from './nginx.ts';
import type { ConfigurationRequest } from './rules.ts';
import { vercelConfiguration } from './vercel.ts';

/** A file to deploy with the site. */
export interface HostFile {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** The files that make a host serve a site by its rules. */
export interface HostConfiguration {
  readonly files: readonly HostFile[];
  /** Explains a file whose format has no comments. */
  readonly notes: HostFile | null;
}

/** The configuration of a host that serves a site by the rules of the request. */
export function hostConfiguration(request: ConfigurationRequest): HostConfiguration {
  if (request.product === 'netlify') return { files: netlifyConfiguration(request), notes: null };
  if (request.kind === 'platform') return vercelConfiguration(request);
  if (request.kind === 'worker') return { files: cloudflareConfiguration(request), notes: null };
  return { files: [{ name: 'docs.conf', text: nginxConfiguration(request) }], notes: null };
}
