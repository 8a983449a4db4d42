/** The engine of generated sites: the page, its scripts and styles, pictures and fonts. None of it has to run. */
import { createHash } from 'node:crypto';
import { random } from './random.ts';

/** What the engine's files are made for. */
export interface BundleOptions {
  readonly seed: number | string;
  /** Path that the site lives under: `/`, `/docs/`. */
  readonly base: string;
}

/** The engine's files by path, and their names by what they are for. */
export interface Bundle {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly names: {
    readonly app: string;
    readonly vendor: string;
    readonly legacy: string;
    readonly boot: string;
    readonly style: string;
    readonly theme: string;
    readonly font: string;
    readonly icon: string;
    readonly waves: string;
    readonly touchIcon: string;
    readonly manifest: string;
  };
}

export function makeBundle({ seed, base }: BundleOptions): Bundle {
  const build = `build ${seed}`;
  const vendorText = script(build, 'vendor');
  const vendor = hashed('vendor', 'js', vendorText);
  const appText = `import { render as show } from './${vendor.slice('assets/'.length)}';\n${script(build, 'app')}show();\n`;
  const legacyText = `(function () {\n  'use strict';\n})();\n${script(build, 'legacy')}`.replaceAll('export ', '');
  const styleText = style(build);
  const names = {
    app: hashed('app', 'js', appText),
    vendor,
    legacy: hashed('legacy', 'js', legacyText),
    boot: 'assets/boot.js',
    style: hashed('style', 'css', styleText),
    theme: 'assets/theme.css',
    font: 'assets/fonts/keeper.woff2',
    icon: 'assets/icon.svg',
    waves: 'assets/waves.svg',
    touchIcon: 'assets/icon-180.png',
    manifest: 'site.webmanifest',
  };
  const files = new Map<string, string | Uint8Array>([
    [names.app, appText],
    [names.vendor, vendorText],
    [names.legacy, legacyText],
    [names.boot, "document.documentElement.classList.add('script');\n"],
    [names.style, styleText],
    [names.theme, rules(build, 'theme')],
    [names.font, WOFF2],
    [names.icon, svg(build)],
    [names.waves, svg(`waves of ${build}`)],
    [names.touchIcon, PNG],
    [names.manifest, `${JSON.stringify({ name: build, icons: [{ src: names.touchIcon, sizes: '180x180' }] })}\n`],
  ]);
  files.set('index.html', html(names, base, build, styleText));
  return { files, names };
}

/** `assets/app.3f2a91bc.js`: named after the content, as build tools do. */
function hashed(name: string, extension: string, text: string): string {
  return `assets/${name}.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.${extension}`;
}

export const integrityOf = (text: string | Uint8Array): string =>
  `sha384-${createHash('sha384').update(text).digest('base64')}`;

function html(names: Bundle['names'], base: string, build: string, styleText: string): string {
  const drawn = random(`html ${build}`);
  // As build tools and people write them: from the base path, relative, or relative to <base>.
  const withBase = drawn.chance(0.3);
  const ways = [(path: string) => base + path, (path: string) => path, (path: string) => `./${path}`];
  const at = withBase ? (path: string) => path : drawn.pick(ways);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    ${withBase ? `<base href="${base}">\n    ` : ''}<meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="${build}">
    <title>Lighthouse handbook</title>
    <!-- <script src="decoy/comment.js"></script> -->
    <link rel="canonical" href="https://example.com/">
    <link rel="icon" type="image/svg+xml" href="${at(names.icon)}">
    <link rel="apple-touch-icon" href="${at(names.touchIcon)}">
    <link rel="manifest" href="${at(names.manifest)}">
    <link rel="preload" href="${at(names.font)}" as="font" type="font/woff2" crossorigin>
    <link rel="modulepreload" href="${at(names.vendor)}">
    <link rel="stylesheet" href="${at(names.style)}" integrity="${integrityOf(styleText)}" crossorigin>
    <style>
      body { margin: 0; font: 1rem/1.6 Keeper, system-ui, sans-serif; }
      .skip { position: absolute; left: -100rem; }
    </style>
    <script>
      // const old = '<script src="decoy/inline.js">';
      document.documentElement.dataset.theme = localStorage.getItem('theme') || 'light';
    </script>
    <script src="${at(names.boot)}"></script>
    <script type="module" src="${at(names.app)}"></script>
    <script nomodule defer src="${at(names.legacy)}"></script>
  </head>
  <body>
    <a class="skip" href="#page">Skip to the text</a>
    <nav id="navigation"></nav>
    <main id="page" tabindex="-1"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=""></main>
    <template><script src="decoy/template.js"></script></template>
    <noscript>This handbook needs JavaScript. Its pages are Markdown files; /llms.txt lists them.</noscript>
  </body>
</html>
`;
}

function style(build: string): string {
  return `@charset "utf-8";
@import url("theme.css");
/* @import url("decoy.css"); */
@font-face { font-family: Keeper; src: url(fonts/keeper.woff2) format("woff2"); }
body::before { content: url("data:image/gif;base64,R0lGODlhAQABAAAAACw="); }
nav a { background: url('waves.svg') no-repeat; }
${rules(build, 'style')}`;
}

/** Enough rules that compressing them is worth it. */
function rules(build: string, name: string): string {
  const drawn = random(`${name} ${build}`);
  return Array.from(
    { length: 40 },
    (_, at) => `.${name}-${at} { color: #${drawn.int(0xffffff).toString(16).padStart(6, '0')}; margin: ${at}px; }\n`,
  ).join('');
}

function script(build: string, name: string): string {
  const drawn = random(`${name} ${build}`);
  const lines = Array.from({ length: 40 }, (_, at) => `const ${name}${at} = ${drawn.int(1_000_000)};\n`);
  return `/*! ${name} of ${build} */\n${lines.join('')}export const render = () => document.querySelector('#page');\n`;
}

function svg(build: string): string {
  const drawn = random(`svg ${build}`);
  const stones = Array.from(
    { length: 30 },
    (_, at) =>
      `  <rect x="${at % 6}" y="${Math.floor(at / 6)}" width="1" height="1" opacity="0.${drawn.int(90) + 10}"/>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 5">\n${stones.join('')}</svg>\n`;
}

/** A drawing with a name of its own. */
export const drawing = (name: string): string => svg(name);

/** A blue square, 4 by 4 pixels. */
export const PNG: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR42mPg9s+BIwbiOAA78wxhyPvimQAAAABJRU5ErkJggg==',
  'base64',
);

/** The signature and header of a WOFF2 font without tables: enough for a host, which goes by the extension. */
const WOFF2: Uint8Array = Buffer.concat([
  Buffer.from('wOF2'),
  Buffer.from([0, 1, 0, 0, 0, 0, 0, 48]),
  Buffer.alloc(36),
]);

/** The beginning and the end of a JPEG picture. */
export const JPEG: Uint8Array = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

/** The smallest PDF that readers open. */
export const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
