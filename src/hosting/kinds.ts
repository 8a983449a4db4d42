import type { HostKind } from '../check.ts';

/** The kinds of host, as named in options. */
export const HOST_KINDS = ['server', 'platform', 'worker'] as const satisfies readonly HostKind[];

/** Products, which options accept instead of their kind. */
export const KIND_OF_PRODUCT = {
  nginx: 'server',
  vercel: 'platform',
  netlify: 'platform',
  cloudflare: 'worker',
} as const satisfies Readonly<Record<string, HostKind>>;

export type HostProduct = keyof typeof KIND_OF_PRODUCT;

/** Every name of a kind of host on the command line. */
export const HOST_NAMES = [...HOST_KINDS, ...Object.keys(KIND_OF_PRODUCT)];

/** The kinds with their products, for the help. */
export const HOST_NAMES_HELP = 'server (nginx), platform (vercel, netlify), worker (cloudflare)';

/** The kind of host that a name means: its own name, or that of a product. */
export function hostKindOf(name: string): HostKind | null {
  const product = hostProductOf(name);
  return HOST_KINDS.find((kind) => kind === name) ?? (product === null ? null : KIND_OF_PRODUCT[product]);
}

/** The product that a name means; `null`: it is the name of a kind, or unknown. */
export function hostProductOf(name: string): HostProduct | null {
  return Object.hasOwn(KIND_OF_PRODUCT, name) ? (name as HostProduct) : null;
}
