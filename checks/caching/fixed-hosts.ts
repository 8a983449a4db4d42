import type { Answer } from '../../src/check.ts';

/** Domains of hosts that send headers of their own and take none from the site. */
const DOMAINS = ['github.io', 'gitlab.io'] as const;

/** Whether the site cannot say for how long its files may be kept: its host gives all of them the same few minutes. */
export function isFixedHost({ hostname }: URL, bundle: Answer): boolean {
  const server = bundle.kind === 'reply' ? bundle.headers.get('server') : null;
  return /^github\.com$/i.test(server?.trim() ?? '') || DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}
