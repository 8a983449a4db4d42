import { describe, expect, it } from 'vitest';
import { propose } from './answers.ts';
import type { DetectedHost, Project } from './detect.ts';

const ON_GITHUB: Project = {
  folder: '/x',
  repository: { root: '/x', remote: { forge: 'github', host: 'github.com', path: 'o/r' }, branch: 'main' } as never,
  prefix: '',
  site: null,
  hosts: [],
  pagesJob: null,
  isPushedByHand: false,
  urls: [],
};

const served = (provider: string): Project => {
  const host: DetectedHost = { provider, kind: 'platform', file: 'x' };
  return { ...ON_GITHUB, hosts: [host] };
};

describe('the gate that is proposed', () => {
  it.each([
    { provider: 'GitHub Pages', gate: ['pages'] },
    { provider: 'Vercel', gate: ['deployment-status'] },
    // They report no deployment to GitHub, so that none would ever start a workflow.
    { provider: 'Netlify', gate: ['push'] },
    { provider: 'Cloudflare Pages', gate: ['push'] },
    { provider: 'Cloudflare Workers', gate: ['push'] },
    // A push does not bring these anywhere by itself.
    { provider: 'nginx', gate: [] },
    { provider: 'Firebase Hosting', gate: [] },
  ])('for $provider: $gate', ({ provider, gate }) => {
    expect(propose(served(provider), undefined, null, 'en').workflows).toEqual([...gate, 'nightly']);
  });
});
