/** The sample site's engine: a small single-page application that shows Markdown files of its own host. */

export const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tidewater manual</title>
    <link rel="icon" href="assets/logo.svg" type="image/svg+xml">
    <link rel="stylesheet" href="style.css">
  </head>
  <body>
    <a class="skip" href="#page">Skip to the text</a>
    <nav id="navigation" aria-label="Manual"></nav>
    <main id="page" tabindex="-1"></main>
    <noscript>This manual needs JavaScript. Its pages are Markdown files; /llms.txt lists them.</noscript>
    <script type="module" src="app.js"></script>
  </body>
</html>
`;

export const APP_JS = `const config = await fetch('config.json').then((reply) => reply.json());
const prefixes = (config.locales ?? []).map((locale) => locale.prefix).filter(Boolean);

function pagePath() {
  const route = decodeURIComponent(location.hash.replace(/^#!?\\/?/, '').split('#')[0]);
  const path = route || (config.homePage ?? 'index.md');
  return path.endsWith('/') ? path + 'index.md' : path;
}

async function text(path) {
  const reply = await fetch(path.split('/').map(encodeURIComponent).join('/'));
  return reply.ok ? reply.text() : '# Not found\\n\\nThere is no page ' + path + '.';
}

function inline(element, source, folder) {
  let rest = 0;
  for (const match of source.matchAll(/\\[([^\\]]+)\\]\\(<?([^)>]+)>?\\)/g)) {
    element.append(source.slice(rest, match.index));
    const link = document.createElement('a');
    link.textContent = match[1];
    link.href = /^(#|https?:)/.test(match[2]) ? match[2] : '#/' + new URL(folder + match[2], 'http://x/').pathname.slice(1);
    element.append(link);
    rest = match.index + match[0].length;
  }
  element.append(source.slice(rest));
}

function show(target, source, path) {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const body = source.replace(/^---\\n[\\s\\S]*?\\n---\\n/, '').replace(/<!--[\\s\\S]*?-->/g, '');
  target.replaceChildren();
  for (const block of body.split(/\\n{2,}/)) {
    const heading = /^(#{1,6}) /.exec(block);
    const code = /^(\`\`\`|\\|)/.test(block);
    const element = document.createElement(heading ? 'h' + heading[1].length : code ? 'pre' : 'p');
    inline(element, block.replace(/^#{1,6} |^\`\`\`.*$/gm, ''), folder);
    target.append(element);
  }
}

async function route() {
  const path = pagePath();
  const prefix = prefixes.find((each) => path.startsWith(each + '/'));
  const navigation = (prefix ? prefix + '/' : '') + (config.navigationFile ?? 'navigation.md');
  const [page, menu] = await Promise.all([text(path), text(navigation)]);
  show(document.querySelector('#page'), page, path);
  show(document.querySelector('#navigation'), menu, navigation);
}

addEventListener('hashchange', route);
await route();
`;

export const STYLE_CSS = `@font-face { font-family: Manual; src: url('assets/manual.woff2') format('woff2'); }
body { display: grid; grid-template-columns: minmax(14rem, 20rem) 1fr; gap: 2rem; margin: 1rem; font: 1rem/1.6 Manual, system-ui, sans-serif; }
main { max-width: 42rem; }
nav p, main p { white-space: pre-line; }
pre { overflow: auto; padding: 0.75rem; background: #f2f5f7; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; }
@media (max-width: 40rem) { body { display: block; } }
`;

export const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Tidewater">
  <rect width="32" height="32" rx="6" fill="#0b4f6c"/>
  <path d="M4 20c4-4 8-4 12 0s8 4 12 0" fill="none" stroke="#bfe3f0" stroke-width="3"/>
  <path d="M16 5v10" stroke="#fff" stroke-width="3"/>
</svg>
`;

/** A blue square, 4 by 4 pixels. */
export const BRIDGE_PNG: Uint8Array = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR42mPg9s+BIwbiOAA78wxhyPvimQAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** The signature and header of a WOFF2 font without tables: enough for a host, which goes by the file's extension. */
export const MANUAL_WOFF2: Uint8Array = Uint8Array.from([
  ...Buffer.from('wOF2'),
  0,
  1,
  0,
  0,
  0,
  0,
  0,
  48,
  ...Array.from({ length: 36 }, () => 0),
]);
