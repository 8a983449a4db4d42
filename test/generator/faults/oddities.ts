/** Healthy sites that only look odd: nothing may be held against them. */
import { posix } from 'node:path';
import { text, type Deployment, type HostReply } from '../deployment.ts';
import {
  ALL_KINDS,
  append,
  change,
  changeHeaders,
  fault,
  NOT_SERVER,
  plainPages,
  type Fault,
  type FaultOptions,
} from './fault.ts';
import { ODD_BUNDLES } from './odd-bundles.ts';

const SMALL: FaultOptions = { site: { languages: ['en'], pages: 8, depth: 2 } };
const NOTHING = {};

/** Changes every HTML reply's body. */
function changeHtml(deployment: Deployment, changed: (html: string, path: string) => string): void {
  change(deployment, {
    change: (request, reply) =>
      String(reply.headers['content-type']).startsWith('text/html')
        ? { ...reply, body: Buffer.from(changed(Buffer.from(reply.body).toString('utf8'), request.rawPath)) }
        : reply,
  });
}

function configure(deployment: Deployment, settings: Readonly<Record<string, unknown>>): void {
  const config = JSON.parse(text(deployment.files.get('config.json'))) as Record<string, unknown>;
  deployment.files.set('config.json', `${JSON.stringify({ ...config, ...settings }, null, 2)}\n`);
}

function eachPage(deployment: Deployment, changed: (page: string) => string): void {
  for (const { path } of deployment.site.pages) deployment.files.set(path, changed(text(deployment.files.get(path))));
}

function headers(name: string, set: HostReply['headers'], of: (reply: HostReply) => boolean): Fault {
  return fault(name, NOTHING, (deployment) => changeHeaders(deployment, set, (_request, reply) => of(reply)), SMALL);
}

const isHtml = ({ headers: { 'content-type': type } }: HostReply): boolean => String(type).startsWith('text/html');

let nonces = 0;

const hosts: readonly Fault[] = [
  fault(
    'a nonce of its own in every HTML page',
    NOTHING,
    (deployment) => {
      changeHtml(deployment, (html) => html.replaceAll('<script', `<script nonce="n${(nonces += 7919)}"`));
      // Nothing that changes each time has a validator.
      changeHeaders(deployment, { etag: null, 'last-modified': null, 'cache-control': 'no-store' }, (_request, reply) =>
        isHtml(reply),
      );
    },
    { ...SMALL, kinds: ALL_KINDS },
  ),
  fault(
    'a script of an analyst in every HTML page',
    NOTHING,
    (deployment) =>
      changeHtml(deployment, (html) => html.replace('</body>', '<script>window.seen = true;</script></body>')),
    SMALL,
  ),
  fault(
    'a page for missing files that repeats their name',
    NOTHING,
    (deployment) =>
      changeHtml(deployment, (html, path) => html.replace('no such page', `no ${path} (${(nonces += 1)})`)),
    SMALL,
  ),
  fault(
    'browsers are sent from a page to its hash route',
    NOTHING,
    (deployment) => {
      const { base } = deployment.site.options;
      change(deployment, {
        change: (request, reply) => {
          const browser = request.headers['accept']?.startsWith('text/html') === true;
          if (!browser || !request.path.endsWith('.md') || reply.status !== 200) return reply;
          return {
            status: 302,
            headers: { location: `${base}#/${request.rawPath.slice(base.length)}` },
            body: Buffer.alloc(0),
          };
        },
      });
    },
    SMALL,
  ),
  headers('a bundle that may not be stored', { 'cache-control': 'no-store' }, isHtml),
  headers('a bundle that is stale at once', { 'cache-control': 'public, max-age=0, must-revalidate' }, isHtml),
  headers(
    'more headers than needed',
    { 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=1' },
    () => true,
  ),
  headers(
    'no type for Markdown',
    { 'content-type': 'text/plain; charset=UTF-8' },
    ({ headers: { 'content-type': type } }) => String(type).startsWith('text/markdown'),
  ),
];

const contents: readonly Fault[] = [
  fault('CRLF', NOTHING, (deployment) => eachPage(deployment, (page) => page.replaceAll('\n', '\r\n')), SMALL),
  fault('byte-order marks', NOTHING, (deployment) => eachPage(deployment, (page) => `\uFEFF${page}`), SMALL),
  fault(
    'an empty configuration',
    NOTHING,
    (deployment) => {
      if (deployment.site.navigation === 'navigation.md') deployment.files.set('config.json', '{}\n');
    },
    SMALL,
  ),
  fault(
    'settings that only look like files',
    NOTHING,
    (deployment) =>
      configure(deployment, {
        icon: 'star',
        image: '',
        css: null,
        font: 'Georgia, serif',
        logo: false,
        themes: [{ favicon: '🏠' }],
      }),
    SMALL,
  ),
  fault(
    'the agent index turned off',
    NOTHING,
    (deployment) => {
      configure(deployment, { llmsTxtUrl: null });
      deployment.files.delete('llms.txt');
    },
    SMALL,
  ),
  fault(
    'one agent is not welcome',
    NOTHING,
    (deployment) => {
      deployment.origin.set('/robots.txt', 'User-agent: CCBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n');
    },
    SMALL,
  ),
  fault(
    'no robots.txt',
    NOTHING,
    (deployment) => {
      deployment.origin.delete('/robots.txt');
    },
    { ...SMALL, kinds: NOT_SERVER },
  ),
  fault(
    'an empty robots.txt',
    NOTHING,
    (deployment) => {
      deployment.origin.set('/robots.txt', '\n');
    },
    SMALL,
  ),
  fault(
    'another site on the same origin',
    NOTHING,
    (deployment, drawn) => {
      deployment.origin.set('/blog/post.html', '<!doctype html><title>Blog</title><p>Hello</p>');
      append(deployment, drawn.pick(plainPages(deployment)).path, '[Blog](/blog/post.html)');
    },
    { site: { ...SMALL.site, base: '/docs/' } },
  ),
  fault(
    'links with queries',
    NOTHING,
    (deployment, drawn) => {
      const [from, to] = [drawn.pick(plainPages(deployment)).path, 'index.md'];
      const way = posix.relative(posix.dirname(from), to);
      append(
        deployment,
        from,
        `[a](${way}?v=2) [b](${way}?v=2#spot) [c](#/index.md?id=spot) ![d](/assets/figure.png?v=3)`,
      );
    },
    SMALL,
  ),
  fault(
    'a page that links to itself',
    NOTHING,
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(deployment, path, `[a](#spot) [b](#) [c](<${posix.basename(path).replaceAll('%', '%25')}>) [d](#top)`);
    },
    SMALL,
  ),
  fault(
    'a long page',
    NOTHING,
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(
        deployment,
        path,
        Array.from({ length: 3000 }, (_, at) => `Line ${at} leads [home](#/index.md).`).join('\n\n'),
      );
    },
    SMALL,
  ),
  fault(
    'a chain of pages',
    NOTHING,
    (deployment) => {
      for (let at = 0; at < 30; at++) deployment.files.set(`chain/${at}.md`, `# ${at}\n\n[on](${(at + 1) % 30}.md)\n`);
      append(deployment, 'index.md', '[chain](chain/0.md)');
    },
    SMALL,
  ),
  fault(
    'words that look like links',
    NOTHING,
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(
        deployment,
        path,
        'See guide.md, ./setup.md, [setup], [x](), <setup.md>, `a.md`, [x] (b.md) and docs/README.md.',
      );
    },
    SMALL,
  ),
];

export const HEALTHY_ODDITIES: readonly Fault[] = [...hosts, ...ODD_BUNDLES, ...contents];
