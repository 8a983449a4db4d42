/** What the bundle loads and the configuration names, missing or of a wrong type. */
import { START_RULES } from '../../../checks/assets/rules.ts';
import { text, type Deployment } from '../deployment.ts';
import { integrityOf, type Bundle } from '../bundle.ts';
import { changeHeaders, changeReply, edit, fault, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { site: { languages: ['en'], pages: 4, depth: 1 } };

/** What is reported: of the scripts that the page cannot start without by the check of the bundle. */
function reported(codes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const { own = [], start = [] } = Object.groupBy(codes, (code) =>
    Object.hasOwn(START_RULES, code) ? 'start' : 'own',
  );
  return { ...(own.length > 0 && { assets: own }), ...(start.length > 0 && { bundle: start }) };
}

/** A file of the bundle was not deployed. */
function gone(name: keyof Bundle['names'], ...codes: readonly string[]): Fault {
  return fault(
    `${name} was not deployed`,
    reported(codes),
    (deployment) => {
      deployment.files.delete(deployment.site.bundle[name]);
    },
    SMALL,
  );
}

/** A file of the bundle is sent with this type. */
function typed(name: keyof Bundle['names'], type: string | null, code: string): Fault {
  return fault(
    `${name} is sent as ${type ?? 'nothing'}`,
    reported([code]),
    (deployment) => {
      changeReply(deployment, deployment.site.bundle[name], ({ headers }) => ({
        headers: { ...headers, 'content-type': type },
      }));
    },
    SMALL,
  );
}

/** What the configuration names is not there. */
function named(setting: string, code = 'config-file-missing'): Fault {
  return fault(
    `the ${setting} that config.json names is not there`,
    { assets: [code] },
    (deployment) => {
      const config = JSON.parse(text(deployment.files.get('config.json'))) as Record<string, unknown>;
      const extension = setting === 'customCss' ? 'css' : 'svg';
      const changed = { ...config, [setting]: `assets/zz-none.${extension}` };
      deployment.files.set('config.json', `${JSON.stringify(changed, null, 2)}\n`);
    },
    SMALL,
  );
}

/** Puts a statement before all others of the engine's script. */
function addToApp(deployment: Deployment, statement: string): void {
  const { app } = deployment.site.bundle;
  deployment.files.set(app, statement + text(deployment.files.get(app)));
}

function addToEnd(deployment: Deployment, beginning: string): void {
  const { app } = deployment.site.bundle;
  deployment.files.set(app, text(deployment.files.get(app)) + beginning);
}

/** The scripts of the last deploy under their old names: the classic blank page. */
function staleBundle(deployment: Deployment): void {
  const { app } = deployment.site.bundle;
  const content = deployment.files.get(app) ?? '';
  deployment.files.delete(app);
  deployment.files.set('assets/app.00000000.js', content);
}

const WORKER = "<script>navigator.serviceWorker.register('sw.js').catch(console.error)</script>";

export const ASSET_FAULTS: readonly Fault[] = [
  fault('a bundle that names the scripts of the last deploy', { bundle: ['script-missing'] }, staleBundle, {
    ...SMALL,
  }),
  gone('legacy', 'legacy-script-missing'),
  gone('style', 'style-missing'),
  gone('theme', 'style-missing'),
  gone('icon', 'icon-missing'),
  gone('touchIcon', 'icon-missing'),
  gone('waves', 'image-missing'),
  gone('font', 'font-missing'),
  gone('boot', 'side-script-missing'),
  gone('manifest', 'manifest-missing'),
  typed('app', 'text/plain', 'module-type'),
  typed('app', 'text/html', 'module-type'),
  typed('style', 'text/plain', 'style-type'),
  named('logo'),
  named('favicon', 'icon-missing'),
  named('customCss'),
  fault(
    'a style whose bytes are not those that were signed',
    { assets: ['style-integrity'] },
    (deployment) => {
      edit(deployment, deployment.site.bundle.style, 'margin: 0px', 'margin: 1px');
    },
    SMALL,
  ),
  fault(
    'a script that a fault page of the host came for',
    { bundle: ['script-missing'] },
    (deployment) => {
      const page = '<!doctype html><title>Error</title><h1>Something went wrong</h1>\n';
      changeReply(deployment, deployment.site.bundle.app, () => ({
        headers: { 'content-type': 'text/html' },
        body: Buffer.from(page),
      }));
    },
    SMALL,
  ),
  fault(
    'a script answered with 403',
    { bundle: ['script-missing'] },
    (deployment) => {
      changeReply(deployment, deployment.site.bundle.app, () => ({ status: 403, body: Buffer.from('no') }));
    },
    SMALL,
  ),
  ...[60, 22].map((days) =>
    fault(`a certificate for ${days} days`, {}, () => {}, { ...SMALL, kinds: ['worker'], secureDays: days }),
  ),
  fault('a certificate for ten days', { tls: ['expires-soon'] }, () => {}, {
    ...SMALL,
    kinds: ['worker'],
    secureDays: 10,
  }),
  fault(
    'a script over HTTP in a page over TLS',
    { assets: ['mixed-content'] },
    (deployment) =>
      edit(deployment, 'index.html', '</head>', '<script src="http://cdn.example.invalid/x.js"></script></head>'),
    { ...SMALL, secureDays: 60 },
  ),
  fault(
    'a picture over HTTP in a page over TLS',
    { assets: ['mixed-image'] },
    (deployment) =>
      edit(deployment, 'index.html', '</main>', '<img src="http://cdn.example.invalid/x.png" alt=""></main>'),
    { ...SMALL, secureDays: 60 },
  ),
  fault(
    'a service worker was not deployed',
    { assets: ['worker-missing'] },
    (deployment) => edit(deployment, 'index.html', '</head>', `${WORKER}</head>`),
    SMALL,
  ),
  fault(
    'a service worker is sent as text',
    { assets: ['worker-refused'] },
    (deployment) => {
      edit(deployment, 'index.html', '</head>', `${WORKER}</head>`);
      deployment.files.set('sw.js', 'self.skipWaiting();\n');
      changeReply(deployment, 'sw.js', ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }));
    },
    SMALL,
  ),
  fault(
    'a script that breaks off',
    { bundle: ['script-syntax'] },
    (deployment) => addToEnd(deployment, 'if (document.title) {\n'),
    SMALL,
  ),
  gone('vendor', 'script-missing'),
  fault(
    'a chunk was not deployed',
    { assets: ['chunk-missing'] },
    (deployment) => addToApp(deployment, 'import("./search-Ab12Cd34.js");\n'),
    SMALL,
  ),
  fault(
    'a chunk and its style that Vite loads ahead were not deployed',
    { assets: ['chunk-missing', 'style-missing'] },
    (deployment) =>
      addToApp(
        deployment,
        'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/search-Ab12Cd34.js","./search-Ef56Gh78.css"])))=>i.map(i=>d[i]);\n',
      ),
    SMALL,
  ),
  fault(
    'a preload of the last deploy',
    { assets: ['preload-missing'] },
    (deployment) =>
      edit(deployment, 'index.html', '</head>', '<link rel="preload" as="font" href="assets/zz.woff2"></head>'),
    SMALL,
  ),
  fault(
    'a script whose compressed copy is broken',
    { bundle: ['script-failed'], compression: ['undecodable'] },
    (deployment) => {
      const { app } = deployment.site.bundle;
      changeHeaders(
        deployment,
        { 'content-encoding': 'br' },
        ({ path }, { headers }) => path.endsWith(app) && headers['content-encoding'] === 'gzip',
      );
    },
    SMALL,
  ),
  fault(
    'a classic script that is sent as a picture',
    { bundle: ['script-type'] },
    (deployment) => {
      edit(deployment, 'index.html', '<script type="module"', '<script');
      changeReply(deployment, deployment.site.bundle.app, ({ headers }) => ({
        headers: { ...headers, 'content-type': 'image/png' },
      }));
    },
    SMALL,
  ),
  typed('boot', 'image/png', 'side-script-refused'),
  typed('boot', 'text/plain', 'script-type-unusual'),
  typed('icon', 'text/plain', 'image-type'),
  fault(
    'a script whose bytes are not those that were signed',
    { bundle: ['script-integrity'] },
    (deployment) => {
      edit(
        deployment,
        'index.html',
        '<script type="module"',
        `<script integrity="${integrityOf('older')}" type="module"`,
      );
    },
    SMALL,
  ),
  fault(
    'a script at an address of the author alone',
    { assets: ['local-address'] },
    (deployment) => {
      edit(deployment, 'index.html', '</head>', '<script src="http://192.168.0.7:5173/x.js"></script></head>');
    },
    SMALL,
  ),
  fault(
    'a style that fails',
    { assets: ['asset-failed'] },
    (deployment) => {
      changeReply(deployment, deployment.site.bundle.theme, () => ({ status: 500, body: Buffer.from('oops') }));
    },
    SMALL,
  ),
  fault(
    'an empty font',
    { assets: ['asset-empty'] },
    (deployment) => {
      deployment.files.set(deployment.site.bundle.font, '');
    },
    SMALL,
  ),
  fault(
    'an icon that is an LFS pointer',
    { assets: ['git-lfs-pointer'] },
    (deployment) => {
      const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
      deployment.files.set(deployment.site.bundle.touchIcon, pointer);
    },
    SMALL,
  ),
  fault(
    'a style that comes too often',
    { assets: ['rate-limited'], compression: ['rate-limited'] },
    (deployment) => {
      changeReply(deployment, deployment.site.bundle.theme, () => ({ status: 429, body: Buffer.from('later') }));
    },
    SMALL,
  ),
  fault(
    'a script beside the page that is not there',
    { assets: ['side-script-missing'] },
    (deployment) => {
      edit(deployment, 'index.html', '</head>', '<script async src="assets/zz-count.js"></script></head>');
    },
    SMALL,
  ),
];
