import { describe, expect, it } from 'vitest';
import { reply, SHELL } from '../../test/answers.ts';
import {
  ORIGIN,
  type Files,
  js,
  css,
  svg,
  html,
  anyOrigin,
  sha,
  page,
  type Options,
  rules,
  module,
  classic,
  style,
  cdn,
} from './fixtures/site.ts';

describe('assets: healthy pages', () => {
  it.each<{ name: string; bundle: string; files?: Files; options?: Options }>([
    {
      name: 'a page with script and style',
      bundle: SHELL,
      files: { 'assets/app.js': js('start()'), 'assets/app.css': css('a{}') },
    },
    { name: 'a page in one file', bundle: page('<style>a{}</style><script>start()</script>') },
    { name: 'a classic script of no type', bundle: page(classic), files: { 'assets/app.js': js('', null) } },
    {
      name: 'a script of an old type',
      bundle: page(module),
      files: { 'assets/app.js': js('x', 'application/x-javascript; charset=utf-8') },
    },
    { name: 'a style of no type', bundle: page(style), files: { 'assets/app.css': css('', null) } },
    {
      name: 'a style of another type without a doctype',
      bundle: `<html>${style}</html>`,
      files: { 'assets/app.css': css('a{}', 'text/plain') },
    },
    {
      name: 'paths from the origin under a base',
      bundle: page('<script type=module src="/assets/app.js"></script>'),
      files: { '/assets/app.js': js('x') },
      options: { base: `${ORIGIN}/docs/` },
    },
    {
      name: 'a base element',
      bundle: page(`<base href="/docs/">${module}`),
      files: { '/docs/assets/app.js': js('x') },
    },
    {
      name: 'a query and a fragment',
      bundle: page('<script src="app.js?v=3#x"></script>'),
      files: { 'app.js?v=3': js('x') },
    },
    {
      name: 'data and blob URLs',
      bundle: page('<link rel=icon href="data:,"><img src="blob:x"><img src="data:image/png;base64,AA==">'),
    },
    {
      name: 'inline scripts and templates',
      bundle: page(
        '<script type="text/template"><img src="gone.png"></script><template><img src="gone.png"></template>',
      ),
    },
    { name: 'the favicon that is only implied', bundle: page('') },
    {
      name: 'the icon and the font that MDwiki names in its own page',
      bundle: page(
        '<!-- MDwiki v0.6.2 --><title>MDwiki</title><link rel="shortcut icon" href="favicon.png">' +
          '<style>@font-face { src: url(../fonts/glyphicons-halflings-regular.woff) }</style>',
      ),
    },
    { name: 'an icon that stands for the page', bundle: page('<link rel="icon" href="#"><img src="">') },
    {
      name: 'a script after redirects',
      bundle: page(classic),
      files: {
        'assets/app.js': reply('x', {
          contentType: 'text/javascript',
          url: cdn,
          redirects: [{ url: ORIGIN, status: 302, location: cdn }],
        }),
      },
    },
    {
      name: 'fonts and images of a style',
      bundle: page(style),
      files: {
        'assets/app.css': css('@import "more.css";@font-face{src:url(../f/a.woff2)}a{background:url("x y.png")}'),
        'assets/more.css': css('b{background:url(z.png)}'),
        'f/a.woff2': reply('wOF2', { contentType: 'application/octet-stream' }),
        'assets/x%20y.png': reply('PNG'),
        'assets/z.png': reply('PNG'),
      },
    },
    {
      name: 'modules that import modules',
      bundle: page(module),
      files: {
        'assets/app.js': js(
          'import{a}from"./vendor-1a2b3c4d.js";import b from"lib";a(()=>import("./page-Ab12Cd34.js"))',
        ),
        'assets/vendor-1a2b3c4d.js': js('import"./app.js"'),
        'assets/page-Ab12Cd34.js': js('x'),
      },
    },
    {
      name: 'an integrity that is met',
      bundle: page(`<script src="assets/app.js" integrity="${sha('x')}"></script>`),
      files: { 'assets/app.js': js('x') },
    },
    {
      name: 'one of several integrities',
      bundle: page(`<script src="assets/app.js" integrity="${sha('y')} ${sha('x')}"></script>`),
      files: { 'assets/app.js': js('x') },
    },
    {
      name: 'a weaker integrity that is not met',
      bundle: page(`<script src="assets/app.js" integrity="${sha('y', 'sha256')} ${sha('x', 'sha512')}"></script>`),
      files: { 'assets/app.js': js('x') },
    },
    {
      name: 'an integrity that browsers do not know',
      bundle: page('<script src="assets/app.js" integrity="md5-x"></script>'),
      files: { 'assets/app.js': js('x') },
    },
    { name: 'a script of a CDN', bundle: page(`<script src="${cdn}"></script>`), files: { [cdn]: js('x') } },
    {
      name: 'a script of a CDN with integrity',
      bundle: page(`<script src="${cdn}" integrity="${sha('x')}" crossorigin="anonymous"></script>`),
      files: { [cdn]: js('x', 'text/javascript', anyOrigin) },
    },
    {
      name: 'an address without a scheme',
      bundle: page('<script src="//cdn.example/app.js"></script>'),
      files: { [cdn]: js('x') },
    },
    {
      name: 'empty styles and scripts beside',
      bundle: page(`${style}<script async src="a.js"></script>`),
      files: { 'assets/app.css': css(''), 'a.js': js('') },
    },
    {
      name: 'http on an http site',
      bundle: page('<script src="http://docs.example/a.js"></script>'),
      files: { '/a.js': js('x') },
      options: { base: 'http://docs.example/' },
    },
    {
      name: 'http that the page upgrades',
      bundle: page(
        '<meta http-equiv="Content-Security-Policy" content="default-src *; upgrade-insecure-requests"><script src="http://docs.example/a.js"></script>',
      ),
      files: { '/a.js': js('x') },
    },
    {
      name: 'http that a header upgrades',
      bundle: page('<img src="http://docs.example/a.png">'),
      files: { '/a.png': reply('PNG') },
      options: { headers: { 'Content-Security-Policy': 'upgrade-insecure-requests' } },
    },
    { name: 'an icon to have none', bundle: page('<link rel="icon" href="a.ico">'), files: { 'a.ico': reply('') } },
    {
      name: 'a picture that counts visits',
      bundle: page('<img src="https://count.example/x">'),
      files: { 'https://count.example/x': reply('', { status: 204 }) },
      options: { external: true },
    },
    {
      name: 'fonts for browsers of the past',
      bundle: page(
        '<style>@font-face{src:url(a.eot);src:url(a.eot?#iefix),url(a.woff2)}b{behavior:url(p.htc)}</style>',
      ),
      files: { 'a.woff2': reply('wOF2') },
    },
    { name: 'a link to follow over http', bundle: page('<a href="http://other.example/">x</a>') },
    { name: 'a preloaded configuration', bundle: page('<link rel=preload as=fetch href="config.json">') },
    { name: 'an SVG without a doctype', bundle: page('<img src="a.svg">'), files: { 'a.svg': svg() } },
    {
      name: 'an object that is a page',
      bundle: page('<object data="map.html"></object>'),
      files: { 'map.html': html('<!doctype html><title>Map</title>') },
    },
    {
      name: 'a JSON module',
      bundle: page(module),
      files: {
        'assets/app.js': js('import a from"./a.json"with{type:"json"};'),
        'assets/a.json': reply('{}', { contentType: 'application/json' }),
      },
    },
    { name: 'styles that are the same', bundle: page(style + style), files: { 'assets/app.css': css('a{}') } },
  ])('$name', async ({ bundle, files = {}, options = {} }) => {
    expect(await rules(bundle, files, options)).toEqual([]);
    // The same on a host that answers the bundle for what is not there.
    expect(await rules(bundle, files, { ...options, fallback: html(bundle) })).toEqual([]);
  });
});
