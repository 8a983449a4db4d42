import type { HostKind } from '../check.ts';

/** The kinds of host, as options name them. */
export const HOST_KINDS = ['server', 'platform', 'worker'] as const satisfies readonly HostKind[];
