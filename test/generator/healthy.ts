/** Healthy sites of several shapes, and what is asserted of each. */
import { expect } from 'vitest';
import type { HostKind } from '../../src/site/host-product.ts';
import type { Deployment } from './deployment.ts';
import { deploymentOf } from './deploy.ts';
import { CAUSED_BY_RULES } from './host-rules.ts';
import { checkDeployment, skipped, trouble } from './run.ts';
import type { SiteServer } from './serve.ts';
import type { Language } from './words.ts';

interface Shape {
  readonly name: string;
  readonly pages: number;
  readonly depth: number;
  readonly languages: readonly Language[];
  readonly base: string;
}

const SHAPES: readonly Shape[] = [
  { name: 'a home page and nothing else', pages: 1, depth: 0, languages: ['en'], base: '/' },
  { name: 'one flat folder', pages: 9, depth: 0, languages: ['ja'], base: '/' },
  { name: 'folders in folders', pages: 40, depth: 5, languages: ['en'], base: '/' },
  { name: 'two languages', pages: 16, depth: 2, languages: ['ro', 'fr'], base: '/' },
  { name: 'four languages under a path', pages: 12, depth: 3, languages: ['en', 'ro', 'fr', 'ja'], base: '/docs/' },
  { name: 'under a deep path', pages: 10, depth: 1, languages: ['fr'], base: '/a%20b/handbook/v2/' },
];
export const KINDS: readonly HostKind[] = ['server', 'platform', 'worker'];
/** Each shape on each kind of host. */
export const ROWS = SHAPES.flatMap((shape) => KINDS.map((kind) => ({ ...shape, kind, seed: 1 })));

/** Checks that do not apply: nothing to compare with, no version expected, no TLS, no negotiation on a plain server, one language. */
function notApplicable({ kind, site: { options } }: Deployment): string[] {
  return [
    ...(kind === 'server' ? ['negotiation'] : []),
    ...(options.languages.length === 1 ? ['translations'] : []),
    'source',
    'tls',
    'deployed-version',
    'rendered',
  ].toSorted();
}

/** Every page is asked for, no decoy is, nothing is wrong. */
export async function expectHealthy(server: SiteServer, { kind, ...options }: (typeof ROWS)[number]): Promise<void> {
  const deployment = deploymentOf(kind, { ...options, origin: server.origin });
  const report = await checkDeployment(deployment, server);
  expect(trouble(report)).toEqual(CAUSED_BY_RULES[kind]);
  expect(Object.keys(skipped(report)).toSorted()).toEqual(notApplicable(deployment));
  const asked = new Set(server.asked.map((request) => decodeURIComponent(request.replace(/^\w+ /, ''))));
  const base = decodeURIComponent(options.base);
  expect(deployment.site.pages.map(({ path }) => path).filter((path) => !asked.has(base + path))).toEqual([]);
  expect([...asked].filter((path) => path.includes('decoy'))).toEqual([]);
}
