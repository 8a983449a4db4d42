import type { HostKind } from '../check.ts';

export const HOST_KINDS = ['server', 'platform', 'worker'] as const satisfies readonly HostKind[];

export const KIND_OF_PRODUCT = {
  nginx: 'server',
  vercel: 'platform',
  netlify: 'platform',
  cloudflare: 'worker',
} as const satisfies Readonly<Record<string, HostKind>>;

export type HostProduct = keyof typeof KIND_OF_PRODUCT;

export const HOST_NAMES = [...HOST_KINDS, ...Object.keys(KIND_OF_PRODUCT)];

export const HOST_NAMES_HELP = 'server (nginx), platform (vercel, netlify), worker (cloudflare)';

export function hostKindOf(name: string): HostKind | null {
  const product = hostProductOf(name);
  return HOST_KINDS.find((kind) => kind === name) ?? (product === null ? null : KIND_OF_PRODUCT[product]);
}

/** The product that a name means; `null`: it is the name of a kind, or unknown. */
export function hostProductOf(name: string): HostProduct | null {
  return Object.hasOwn(KIND_OF_PRODUCT, name) ? (name as HostProduct) : null;
}
