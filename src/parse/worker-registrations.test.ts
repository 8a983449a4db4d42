import { describe, expect, it } from 'vitest';
import { workersOfPage, workersOfScript } from './worker-registrations.ts';

describe('the service workers that a script registers', () => {
  it.each([
    [`navigator.serviceWorker.register('sw.js')`, 'sw.js'],
    [`if (typeof navigator.serviceWorker !== 'undefined') { navigator.serviceWorker.register("./sw.js") }`, './sw.js'],
    [`addEventListener('load', () => navigator.serviceWorker?.register(\`/sw.js\`, { scope: '/' }))`, '/sw.js'],
    [`window.navigator['serviceWorker'].register('a/sw.js').then((r) => r.update()).catch(console.error)`, 'a/sw.js'],
    [`import './app.js'; await navigator.serviceWorker.register('sw.js')`, 'sw.js'],
  ])('%s', (script, url) => {
    expect(workersOfScript(script)).toMatchObject([{ url, viaCache: false }]);
  });

  it.each([
    `// navigator.serviceWorker.register('sw.js')`,
    `const help = "navigator.serviceWorker.register('sw.js')"`,
    `navigator.serviceWorker.register(base + 'sw.js')`,
    'navigator.serviceWorker.register(`${base}sw.js`)',
    `navigator.serviceWorker.getRegistrations().then((all) => all.forEach((each) => each.unregister()))`,
    `customElements.register('sw.js'); navigator.serviceWorker.ready`,
    `navigator.serviceWorker.register('sw.js'`,
    `navigator.serviceWorker.register()`,
  ])('none: %s', (script) => {
    expect(workersOfScript(script)).toEqual([]);
  });

  it('knows which ones browsers may take from their own cache', () => {
    const script = `navigator.serviceWorker.register('sw.js', { scope: './', updateViaCache: 'all' })`;
    expect(workersOfScript(script)).toEqual([{ url: 'sw.js', offset: 0, viaCache: true }]);
  });

  it('reads the inline scripts of a page, and what their addresses are relative to', () => {
    const page = `<base href="/docs/"><!-- <script>navigator.serviceWorker.register('old.js')</script> -->
      <script src="app.js">navigator.serviceWorker.register('unused.js')</script>
      <script>window.$docsify = {};\nnavigator.serviceWorker.register('sw.js')</script>`;
    const offset = page.lastIndexOf('navigator');
    expect(workersOfPage(page)).toEqual({
      base: '/docs/',
      registrations: [{ url: 'sw.js', offset, viaCache: false }],
    });
  });
});
