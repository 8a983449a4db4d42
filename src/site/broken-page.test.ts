import { describe, expect, it } from 'vitest';
import { brokenPageIn } from './broken-page.ts';

const NGINX = '<!DOCTYPE html>\n<title>Welcome to nginx!</title>\n<h1>Welcome to nginx!</h1>\n';

describe('a broken page', () => {
  it('is one of the host, of no engine that is known', () => {
    expect(brokenPageIn(NGINX)).toEqual({
      rule: 'host-page',
      evidence: { inPlace: 'default', product: 'nginx' },
    });
    expect(brokenPageIn(`${NGINX}<script>window.$docsify = {}</script>`)).toBeNull();
  });

  it('is one that breaks off, at the place of what is unfinished', () => {
    expect(brokenPageIn('<!doctype html>\n<p>Text\n<script src="app')).toEqual({
      rule: 'cut-off',
      evidence: { inside: 'attribute' },
      location: { path: 'index.html', line: 3, column: 1 },
      excerpt: expect.anything() as unknown,
    });
  });
});
