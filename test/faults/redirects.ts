/** Redirects: each file must answer itself. */
import { fail, file, raw, row } from './fault.ts';
import type { Fault } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';

const to = (location: string, status = 302): FileReply => ({ status, type: null, body: '', headers: { location } });

const twoLocations = (first: string, second: string): { send: string }[] => [
  { send: `HTTP/1.1 302 Found\r\nLocation: ${first}\r\nLocation: ${second}\r\nContent-Length: 0\r\n\r\n` },
];

/** Each step leads to the next folder: never the same address twice, and never an end. */
const endless = Object.fromEntries(
  Array.from({ length: 40 }, (_, step) => [
    step === 0 ? 'navigation.md' : `${step}/navigation.md`,
    to(`/${step + 1}/navigation.md`),
  ]),
);

export const redirects: readonly Fault[] = [
  file('bundle', 'to another page', to('/robots.txt', 308), fail('redirected')),
  file('bundle', 'clean URLs are on: to /', to('/', 308), { status: 'pass', codes: ['clean-url'] }),
  file('navigation', 'to a login page', to('/index.html?login=1'), fail('redirected')),
  file('home', 'to the hash route', to('/#/index.md'), fail('redirected')),
  file('llms-txt', 'to another text', to('/robots.txt', 301), fail('redirected')),
  row(
    'config.json: to the same content elsewhere',
    { files: { 'config.json': to('/settings.json', 307), 'settings.json': { body: '{}' } } },
    { config: fail('redirected') },
  ),
  file('bundle', 'to a port where nothing listens', to('http://127.0.0.1:1/index.html', 301), fail('redirected')),
  file('home', 'to a name that there is not', to('http://no.such.invalid/index.md'), fail('redirected')),
  file('navigation', 'to itself', to('/navigation.md'), fail('redirect-loop')),
  row('navigation.md: on and on', { files: endless }, { navigation: fail('redirect-loop') }),
  file('home', 'without Location', { status: 302, type: null, body: '' }, fail('bad-redirect')),
  file('home', 'to a file', to('file:///etc/passwd'), fail('bad-redirect')),
  file('home', 'to a script', to('javascript:alert(1)'), fail('bad-redirect')),
  file('home', 'to nonsense', to('http://[nonsense'), fail('bad-redirect')),
  raw('llms-txt', 'two different Locations', twoLocations('/robots.txt', '/index.md'), fail('bad-redirect')),
  raw('llms-txt', 'the same Location twice', twoLocations('/robots.txt', '/robots.txt'), fail('redirected')),
  file(
    'config',
    "to the cloud's metadata address",
    to('http://169.254.169.254/latest/meta-data/'),
    fail('blocked-address'),
  ),
  file('config', 'to the metadata address, written as IPv6', to('http://[::ffff:a9fe:a9fe]/'), fail('blocked-address')),
  file('config', 'to the metadata address, as one number', to('http://2852039166/'), fail('blocked-address')),
  file('home', 'to a private network', to('http://10.0.0.1/index.md'), fail('blocked-address')),
];
