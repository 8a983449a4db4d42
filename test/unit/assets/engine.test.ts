import { describe, expect, it } from 'vitest';
import { rules, html, js, LOST, module, nosniff, page } from '../../../checks/assets/fixtures/site.ts';

const app = { 'assets/app.js': js('start()') };
const inPage = `<script>${'start();'.repeat(1000)}</script>`;
const settings = '<script>window.va = window.va || function () {};</script>';

describe('assets: which missing script keeps the page blank', () => {
  it.each([
    { name: 'the only one', head: '<script src="a.js"></script>' },
    { name: 'the only one, later', head: '<script defer src="a.js"></script>' },
    { name: 'the only one, in its own time', head: '<script async src="a.js"></script>' },
    { name: 'the only one, whatever it is called', head: '<script defer src="js/analytics.js"></script>' },
    {
      name: 'the only one, named twice',
      head: '<script async src="a.js"></script><script async src="./a.js"></script>',
    },
    { name: 'the only one beside settings', head: `${settings}<script defer src="a.js"></script>` },
    {
      name: 'the only one but for old browsers',
      head: '<script async src="a.js"></script><script nomodule src="assets/app.js"></script>',
    },
    {
      name: 'the only one but for the host',
      head: '<script async src="a.js"></script><script src="/cdn-cgi/a.js"></script>',
      also: ['side-script-missing'],
    },
    { name: 'one of two classic ones', head: '<script src="assets/app.js"></script><script src="a.js"></script>' },
    { name: 'a module', head: '<script src="assets/app.js"></script><script type=module src="a.js"></script>' },
    {
      name: 'one beside a module of another host',
      head: '<script src="a.js"></script><script type=module>import "https://cdn.example/m.mjs"</script>',
    },
    {
      name: 'one beside visitor statistics',
      head: '<script src="a.js"></script><script defer src="assets/app.js?analytics"></script>',
    },
    { name: 'one beside much in the page', head: `${inPage}<script src="a.js"></script>` },
  ])('$name', async ({ head, also = [] }) => {
    const files = {
      ...app,
      'assets/app.js?analytics': js(''),
      'https://cdn.example/m.mjs': js('', 'text/javascript', { 'Access-Control-Allow-Origin': '*' }),
    };
    expect(await rules(page(head), files)).toEqual(['script-missing', ...also]);
    expect(await rules(page(head), files, { fallback: html(page(head)) })).toEqual(['script-missing', ...also]);
  });

  it.each([
    {
      name: 'a plugin beside MDwiki in the page',
      head: `<!-- MDwiki v0.6.2 -->${inPage}<script src="copy-code.js"></script>`,
    },
    { name: 'a plugin beside a module', head: `${module}<script src="plugins/copy-code.js"></script>` },
    { name: 'visitor statistics beside a module', head: `<script defer src="/js/analytics.js"></script>${module}` },
    {
      name: 'visitor statistics beside a classic script',
      head: '<script defer src="/js/analytics.js"></script><script src="assets/app.js"></script>',
    },
    { name: 'a module of visitor statistics', head: `${module}<script type=module src="umami.js"></script>` },
    {
      name: 'statistics of the platform',
      head: `${settings}<script defer src="/_vercel/insights/script.js"></script>${module}`,
    },
    {
      name: 'statistics of the platform alone',
      head: `${settings}<script defer src="/_vercel/insights/script.js"></script>`,
    },
    {
      name: 'what a CDN puts in',
      head: '<script src="assets/app.js"></script><script src="/cdn-cgi/scripts/a.js"></script>',
    },
    {
      name: 'what a platform puts in',
      head: '<script src="assets/app.js"></script><script src="/.netlify/scripts/rum"></script>',
    },
    { name: 'one in its own time', head: `${module}<script async src="a.js"></script>` },
    { name: 'one in its own time beside the engine in the page', head: `${inPage}<script async src="a.js"></script>` },
    { name: 'visitor statistics beside the engine in the page', head: `${inPage}<script src="matomo.js"></script>` },
  ])('not $name', async ({ head }) => {
    expect(await rules(page(head), app)).toEqual(['side-script-missing']);
    expect(await rules(page(head), app, { fallback: html(LOST) })).toEqual(['side-script-missing']);
  });

  it('passes what a module beside the engine imports on', async () => {
    const head = `${module}<script type=module async src="a.js"></script>`;
    expect(await rules(page(head), { ...app, 'a.js': js('import"./b.js"') })).toEqual(['side-script-missing']);
  });

  it.each([
    {
      name: 'a plugin that is not sniffed',
      head: `${module}<script src="a.js"></script>`,
      file: js('x', 'text/plain', nosniff),
    },
    {
      name: 'a module in its own time, as text',
      head: `${module}<script type=module async src="a.js"></script>`,
      file: js('x', 'text/plain'),
    },
  ])('nor one that browsers refuse: $name', async ({ head, file }) => {
    expect(await rules(page(head), { ...app, 'a.js': file })).toEqual(['side-script-refused']);
  });
});
