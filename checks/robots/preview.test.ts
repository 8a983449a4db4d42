import { expect, it } from 'vitest';
import { isPreview } from './preview.ts';

it.each([
  ['docs.example', false],
  ['127.0.0.1', false],
  ['harbour.vercel.app', false],
  ['harbour-handbook-site.vercel.app', false],
  ['harbour-git-main-team.vercel.app', true],
  ['harbour-git-feature-tides-team.vercel.app', true],
  ['harbour-a1b2c3d4e-team.vercel.app', true],
  ['my-documents-team.vercel.app', false],
  ['harbour.pages.dev', false],
  ['0a1b2c3d.harbour.pages.dev', true],
  ['harbour.account.workers.dev', false],
  ['0a1b2c3d-harbour.account.workers.dev', true],
  ['harbour.netlify.app', false],
  ['deploy-preview-12--harbour.netlify.app', true],
  ['main--harbour.netlify.app', true],
  ['vercel.app.example', false],
])('%s: %s', (hostname, expected) => {
  expect(isPreview(hostname)).toBe(expected);
});
