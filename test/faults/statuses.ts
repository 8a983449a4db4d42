/** Statuses other than 200. A proxy's or a platform's own error page comes with them. */
import { all, CHECKS, fail, file, FILES, healthy, row, skip, TEXTS, unknown } from './fault.ts';
import type { CheckId, Fault } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';

const ERROR_PAGE = '<!doctype html><title>Error</title><h1>Error</h1>\n';

const status = (code: number) => ({ status: code, type: 'text/html', body: ERROR_PAGE });

/** The file under a name whose first letter is a capital. */
const capital = (id: CheckId): Fault => {
  const name = FILES[id];
  const other = name.charAt(0).toUpperCase() + name.slice(1);
  const body = { bundle: ERROR_PAGE, config: '{}', navigation: '- [a](index.md)', home: '# a', 'llms-txt': '# a' }[id];
  return row(
    `${name}: ${other} is there`,
    { files: { [name]: status(404), [other]: { status: 200, body } } },
    { [id]: fail('letter-case') },
  );
};

type Refusal = Omit<FileReply, 'whenAccept' | 'once'>;

/** The host answers every request so. */
const refuses = (name: string, reply: Refusal): Fault =>
  row(
    `every file: ${name}`,
    { files: Object.fromEntries(CHECKS.map((id) => [FILES[id], reply])) },
    { ...all(skip('no-answer')), bundle: unknown('client-refused') },
  );

const page = (title: string): string => `<!doctype html><title>${title}</title><h1>${title}</h1>\n`;

const CHALLENGE = { status: 403, headers: { server: 'cloudflare', 'cf-mitigated': 'challenge' } };

/** The host treats this client in another way than visitors. */
const refusals: readonly Fault[] = [
  refuses('a challenge of Cloudflare', { ...CHALLENGE, type: 'text/html', body: page('Just a moment...') }),
  refuses('a challenge of Vercel', { ...status(429), headers: { 'x-vercel-mitigated': 'challenge' } }),
  refuses('a challenge of AWS WAF', {
    status: 202,
    type: null,
    headers: { 'x-amzn-waf-action': 'challenge' },
    body: '',
  }),
  refuses('a challenge of SiteGround with 202', { ...status(202), headers: { 'sg-captcha': 'challenge' } }),
  refuses('a challenge of Imunify360 with 200', {
    type: 'text/html',
    headers: { server: 'imunify360-webshield/1.21' },
    body: page('One moment, please...'),
  }),
  refuses('a block of Sucuri', { ...status(403), headers: { 'x-sucuri-block': 'EVA079' } }),
  refuses('a login of Vercel', { ...status(401), headers: { server: 'Vercel' } }),
  refuses('a redirect to Cloudflare Access', {
    ...status(302),
    headers: { location: 'https://team.cloudflareaccess.com/cdn-cgi/access/login/docs.example.com' },
  }),
  refuses('HTTP Basic', { ...status(401), headers: { 'www-authenticate': 'Basic realm="docs"' } }),
  refuses('429', { ...status(429), headers: { 'retry-after': '3600' } }),
  ...TEXTS.map((id) => file(id, 'a challenge for this file', CHALLENGE, unknown('client-refused'))),
];

export const statuses: readonly Fault[] = [
  ...refusals,
  ...CHECKS.map(capital),
  row('the address of a folder', { address: (url) => `${url}stations/nearby/` }, all(fail('wrong-base'))),
  ...CHECKS.map((id) => file(id, '404', status(404), fail('not-found'))),
  ...CHECKS.map((id) => file(id, '403', status(403), fail('forbidden'))),
  ...CHECKS.map((id) =>
    file(id, '429', { ...status(429), headers: { 'retry-after': '3600' } }, unknown('rate-limited')),
  ),
  ...CHECKS.map((id) => file(id, '503', status(503), fail('server-error'))),
  file('home', '410', status(410), fail('not-found')),
  file('config', '401', { ...status(401), headers: { 'www-authenticate': 'Basic realm="docs"' } }, fail('forbidden')),
  file('config', '500', status(500), fail('server-error')),
  file('home', '502', status(502), fail('server-error')),
  file('navigation', '204', { status: 204, type: null }, fail('status')),
  file('config', '206', { status: 206, headers: { 'content-range': 'bytes 0-9/500' } }, fail('status')),
  file('llms-txt', '304', { status: 304, type: null }, fail('status')),
  file('home', '203, changed by a proxy', { status: 203 }, fail('status')),
  file('bundle', '418', status(418), fail('status')),
  file('navigation', '404 with the right content', { status: 404 }, fail('not-found')),
  healthy(
    '503 once, then well: tried again',
    { files: { 'config.json': { ...status(503), once: true } } },
    {},
    {
      args: ['--retries', '2', '--timeout', '5s'],
    },
  ),
];
