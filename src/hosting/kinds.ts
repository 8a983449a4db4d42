import type { HostKind } from '../check.ts';

/** The kinds of host, as named in options. */
export const HOST_KINDS = ['server', 'platform', 'worker'] as const satisfies readonly HostKind[];

/** Products, which options accept instead of their kind. */
const KIND_OF_PRODUCT = {
  nginx: 'server',
  vercel: 'platform',
  netlify: 'platform',
  cloudflare: 'worker',
} as const satisfies Readonly<Record<string, HostKind>>;

/** Every name of a kind of host on the command line. */
export const HOST_NAMES = [...HOST_KINDS, ...Object.keys(KIND_OF_PRODUCT)];

/** The kinds with their products, for the help. */
export const HOST_NAMES_HELP = 'server (nginx), platform (vercel, netlify), worker (cloudflare)';

/** The kind of host that a name means: its own name, or that of a product. */
export function hostKindOf(name: string): HostKind | null {
  const products: Readonly<Record<string, HostKind>> = KIND_OF_PRODUCT;
  return HOST_KINDS.find((kind) => kind === name) ?? (Object.hasOwn(products, name) ? (products[name] ?? null) : null);
}
