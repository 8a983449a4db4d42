import { describe, expect, it } from 'vitest';
import { css, html, js, module, ORIGIN, page, run, type Files } from '../../../checks/assets/fixtures/site.ts';

const map = (...files: readonly string[]): string =>
  `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${JSON.stringify(files)})))=>i.map(i=>d[i]);\n`;
const x = js('x');

describe('assets: what Vite loads ahead', () => {
  it.each<{ name: string; app: string; files: Files; base?: string; bundle?: string }>([
    {
      name: 'from the base',
      app: map('assets/b.js', 'assets/c.css'),
      files: { 'assets/b.js': x, 'assets/c.css': css('') },
    },
    { name: 'from the script', app: map('./b.js', '../css/c.css'), files: { 'assets/b.js': x, 'css/c.css': css('') } },
    { name: 'below a base path', app: map('assets/b.js'), files: { 'assets/b.js': x }, base: `${ORIGIN}/docs/` },
    { name: 'in another folder', app: map('css/c.css'), files: { 'css/c.css': css('') } },
    {
      name: 'where the page lies elsewhere',
      app: map('css/c.css'),
      files: { '/css/c.css': css('') },
      base: `${ORIGIN}/en/`,
      bundle: page('<script type=module src="/assets/app.js"></script>'),
    },
    {
      name: 'from another host',
      app: map('assets/b.js'),
      files: {
        'https://cdn.example/x/assets/b.js': js('x', 'text/javascript', { 'Access-Control-Allow-Origin': '*' }),
      },
      bundle: page('<script type=module src="https://cdn.example/x/assets/app.js"></script>'),
    },
    { name: 'with imports after it', app: `${map('assets/b.js')}import"./b.js"`, files: { 'assets/b.js': x } },
  ])('is there $name', async ({ app, files, base = `${ORIGIN}/`, bundle = page(module) }) => {
    const entry = js(app, 'text/javascript', { 'Access-Control-Allow-Origin': '*' });
    const locations = ['assets/app.js', '/assets/app.js', 'https://cdn.example/x/assets/app.js'];
    const all = { ...Object.fromEntries(locations.map((location) => [location, entry])), ...files };
    expect((await run(bundle, all, { base })).findings).toEqual([]);
    expect((await run(bundle, all, { base, fallback: html(bundle) })).findings).toEqual([]);
  });

  it.each<{ name: string; app: string; is: readonly object[] }>([
    {
      name: 'a chunk',
      app: map('assets/b.js'),
      is: [
        {
          rule: 'chunk-missing',
          evidence: { url: `${ORIGIN}/assets/b.js` },
          location: { path: 'assets/app.js', line: 1 },
        },
      ],
    },
    { name: 'a stylesheet', app: map('assets/b.css'), is: [{ rule: 'style-missing' }] },
    {
      name: 'a chunk that is imported as well',
      app: `${map('assets/b-Ab12Cd34.js')}import("./b-Ab12Cd34.js")`,
      is: [{ rule: 'chunk-missing', locations: [{}, {}] }],
    },
    {
      name: 'a module that is imported as well',
      app: `${map('assets/b.js')}import"./b.js"`,
      is: [{ rule: 'script-missing', location: {} }],
    },
    { name: 'an import after the list', app: `${map()}import"./b.js"`, is: [{ rule: 'script-missing' }] },
  ])('is missing: $name', async ({ app, is }) => {
    const files = { 'assets/app.js': js(app) };
    expect((await run(page(module), files)).findings).toMatchObject(is);
    expect((await run(page(module), files, { fallback: html(page(module)) })).findings).toMatchObject(is);
  });
});
