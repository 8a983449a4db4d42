/**
 * Faults of a site on the internet: HTTPS, its certificate, and what comes from other hosts. The names lead, through a
 * proxy of the test's own, to an nginx on this machine; a certificate authority of the test's own vouches for them.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { certificate, type CertificateKind } from '../faults/certificates.ts';
import { runNginx, workersUser } from '../hosts/nginx.ts';
import { freePorts } from '../hosts/port.ts';
import { healthy, replace, serverBlock, writeFiles, type Group, type Host, type Row, type Setup } from './setup.ts';

export const SITE = 'docs.example.com';
/** The same site, as it is seen before it has its name. */
const PREVIEW = 'preview.example.com';
/** No link to a host with a name for samples is followed. */
const CDN = 'files.wiki-parts.net';

/** Names of what `Setup.settings` holds here. */
const [PLAIN, CERTIFICATE, ELSEWHERE, TLS] = ['plain HTTP', 'certificate', 'the other host', 'TLS'] as const;
const SECURE = 'listen 443 ssl;';
const THE_SITE = 'the site';
const REDIRECT = `server { listen 80; server_name ${SITE}; return 301 https://$host$request_uri; }`;
const HSTS = 'add_header Strict-Transport-Security "max-age=31536000";';
const ALL = 'add_header Access-Control-Allow-Origin *; add_header Cache-Control "max-age=86400";';

/** No check gets a response. */
export const NO_TLS: Pick<Row, 'rule' | 'also'> = {
  rule: 'bundle/tls-protocol',
  also: ['config', 'navigation', 'home', 'llms-txt', 'tls'].map((check) => `${check}/tls-protocol`),
};

/** A site with HTTPS. */
function published(): Setup {
  const setup = healthy();
  setup.target.url = `https://${SITE}/`;
  replace(setup.locations, '= /index.html', 'add_header', `${HSTS} add_header`);
  setup.settings.set(PLAIN, REDIRECT).set(CERTIFICATE, 'good').set(ELSEWHERE, ALL).set(TLS, SECURE);
  return setup;
}

/** The files of the other host, which has a folder of its own. */
const there = (path: string): string => `${CDN}/${path}`;

async function start(setup: Setup): Promise<Host> {
  const prefix = mkdtempSync(join(tmpdir(), 'docvitals-public-'));
  chmodSync(prefix, 0o755);
  mkdirSync(join(prefix, 'temp'));
  writeFiles(prefix, {
    ...setup,
    files: new Map([...setup.files].map(([path, body]) => [path.startsWith(CDN) ? path : join(SITE, path), body])),
    dates: new Map(),
  });
  mkdirSync(join(prefix, CDN), { recursive: true });
  const trustFile = await writeCertificate(prefix, setup.settings.get(CERTIFICATE) as CertificateKind);
  return throughProxy(async (ports) => {
    const stopNginx = await runNginx(prefix, configuration(setup, prefix, ports), ports.secure);
    const stop = async (): Promise<void> => {
      await stopNginx();
      rmSync(dirname(trustFile), { recursive: true });
    };
    return { trustFile, stop };
  });
}

/** Writes `cert.pem` and `key.pem`; resolves with the file to trust them with. */
export async function writeCertificate(folder: string, kind: CertificateKind): Promise<string> {
  const { server, trustFile = '' } = await certificate(kind, [SITE, PREVIEW, CDN]);
  writeFileSync(join(folder, 'key.pem'), server.key as string);
  writeFileSync(join(folder, 'cert.pem'), server.cert as string);
  return trustFile;
}

/** A server on both ports, as the names of the site lead to it. */
export async function throughProxy(
  serve: (ports: Ports) => Promise<{ readonly trustFile: string; readonly stop: () => Promise<void> }>,
): Promise<Host> {
  const [plain = 0, secure = 0] = await freePorts(2);
  const { trustFile, stop } = await serve({ plain, secure });
  const proxy = await startProxy({ plain, secure });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    port: secure,
    env: { HTTP_PROXY: url, HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: trustFile },
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await stop();
    },
  };
}

export interface Ports {
  readonly plain: number;
  readonly secure: number;
}

function configuration(setup: Setup, prefix: string, { plain, secure }: Ports): string {
  const { settings } = setup;
  const tls = `ssl_certificate ${prefix}/cert.pem; ssl_certificate_key ${prefix}/key.pem;`;
  const listen = `${settings.get(TLS)?.replace('443', `127.0.0.1:${secure}`)} ${tls}`;
  const names = `server_name ${SITE} ${PREVIEW};`;
  const [onPlain, onSecure] = [plain, secure].map((port, id) =>
    serverBlock(setup, join(prefix, SITE), port, id).replace('root ', `${names} root `),
  );
  const http = settings.get(PLAIN) === THE_SITE ? onPlain : settings.get(PLAIN);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${prefix}/temp/${kind};`,
  );
  return `${workersUser()}
daemon off;
worker_processes 1;
pid ${prefix}/nginx.pid;
error_log stderr crit;
events { worker_connections 256; }
http {
  default_type application/octet-stream;
  access_log off;
  ${temporary.join('\n  ')}
  ${http?.replace('listen 80;', `listen 127.0.0.1:${plain};`)}
  ${onSecure?.replace(`listen 127.0.0.1:${secure};`, listen)}
  server {
    listen 127.0.0.1:${plain};
    ${listen}
    server_name ${CDN};
    root ${prefix}/${CDN};
    gzip on; gzip_vary on; gzip_types text/css text/javascript;
    types { text/javascript js mjs; text/css css; image/png png; text/html html; }
    ${settings.get(ELSEWHERE)}
  }
}
`;
}

/** Leads every name to this machine. */
async function startProxy({ plain, secure }: Ports): Promise<Server> {
  const names = new Set([SITE, PREVIEW, CDN]);
  const proxy = createServer((request, response) => {
    const { hostname, pathname, search } = new URL(request.url ?? '/', `http://${SITE}`);
    if (!names.has(hostname)) {
      response.writeHead(502).end();
      return;
    }
    const { method, headers } = request;
    const onward = httpRequest({ port: plain, host: '127.0.0.1', path: pathname + search, method, headers });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    const onward = connect(secure, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    if (!names.has(url.replace(/:\d+$/, ''))) socket.end('HTTP/1.1 502 No such host\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

/** An element of the bundle, and what the fix makes of it or of the file that it loads. */
function loads(
  rule: string,
  element: string,
  says: string,
  fix: (setup: Setup) => unknown,
  before: (setup: Setup) => unknown = () => {},
): Row {
  return {
    rule: `assets/${rule}`,
    fault: (setup) => {
      replace(setup.files, 'index.html', '<title>', `${element}<title>`);
      before(setup);
    },
    fix: (setup, printed) => {
      printed.says(says);
      return fix(setup);
    },
  };
}

const rewrite =
  (from: string, to: string) =>
  ({ files }: Setup): void =>
    replace(files, 'index.html', from, to);

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JS = 'console.log("More.");\n';

const MIXED: readonly Row[] = [
  loads(
    'mixed-content',
    `<script src="http://${CDN}/a.js"></script>`,
    'Write the address with `https://`',
    rewrite(`http://${CDN}/a.js`, `https://${CDN}/a.js`),
    ({ files }) => files.set(there('a.js'), JS),
  ),
  loads(
    'mixed-image',
    `<img alt="" src="http://${CDN}/a.png">`,
    'Write the address with `https://`',
    rewrite(`http://${CDN}/a.png`, `https://${CDN}/a.png`),
    ({ files }) => files.set(there('a.png'), PNG),
  ),
  loads(
    'local-address',
    '<script src="http://localhost:5173/main.js"></script>',
    'Replace the address with a path on the site',
    (setup) => {
      rewrite('http://localhost:5173/main.js', 'main.js')(setup);
      setup.files.set('main.js', JS);
    },
  ),
];

const OTHER_HOST: readonly Row[] = [
  loads(
    'side-script-missing',
    `<script async src="https://${CDN}/stats.js"></script>`,
    'Deploy the file',
    ({ files }) => files.set(there('stats.js'), JS),
  ),
  loads(
    'side-script-refused',
    `<script async integrity="sha256-AAAA" crossorigin="anonymous" src="https://${CDN}/plugin.js"></script>`,
    'write the digest of the file that is served into `integrity`, or remove the attribute',
    rewrite('integrity="sha256-AAAA" ', ''),
    ({ files }) => files.set(there('plugin.js'), JS),
  ),
];

/** The other host allows nobody to read its files. */
const closed = (path: string, body: string) => (setup: Setup) => {
  setup.files.set(there(path), body);
  setup.settings.set(ELSEWHERE, 'add_header Cache-Control "max-age=86400";');
};
const open = ({ settings }: Setup): unknown => settings.set(ELSEWHERE, ALL);
const ALLOW = 'Configure the other host to send `Access-Control-Allow-Origin: *`';

const CORS: readonly Row[] = [
  loads(
    'style-cors',
    `<link rel="stylesheet" crossorigin href="https://${CDN}/t.css">`,
    ALLOW,
    open,
    closed('t.css', 'body { color: black; }\n'),
  ),
];

const FOREIGN: readonly Row[] = [
  loads(
    'external-failed',
    `<link rel="stylesheet" href="https://${CDN}/theme.css">`,
    'deploy the file with the site',
    (setup) => {
      rewrite(`https://${CDN}/theme.css`, 'theme.css')(setup);
      setup.files.set('theme.css', 'body { color: black; }\n');
    },
    ({ settings }) => settings.set(ELSEWHERE, 'return 503;'),
  ),
];

const EXTERNAL: Row = {
  rule: 'links/external-missing',
  fault: (setup) => {
    setup.args.push('--external');
    setup.files.set('index.md', `${String(setup.files.get('index.md'))}\n[Old](https://${CDN}/old.html)\n`);
  },
  fix: ({ files }, printed) => {
    printed.says("Find the page's new address");
    files.set(there('new.html'), '<!doctype html><title>New</title>\n');
    replace(files, 'index.md', 'old.html', 'new.html');
  },
};

const CERTIFICATES: readonly (readonly Row[])[] = [
  [
    {
      rule: 'tls/no-https',
      fault: ({ settings, target }) => {
        settings.set(PLAIN, THE_SITE);
        target.url = `http://${SITE}/`;
      },
      fix: ({ settings, target }, printed) => {
        printed.says('get a certificate');
        printed.says('let `http` redirect to it');
        settings.set(PLAIN, REDIRECT);
        target.url = `https://${SITE}/`;
      },
    },
  ],
  [
    {
      rule: 'tls/no-https-redirect',
      fault: ({ settings }) => settings.set(PLAIN, THE_SITE),
      fix: ({ settings }, printed) => settings.set(PLAIN, printed.code('server { listen 80;')),
    },
  ],
  [
    {
      rule: 'tls/no-hsts',
      fault: ({ locations }) => replace(locations, '= /index.html', HSTS, ''),
      fix: (setup, printed) => {
        printed.nginx(setup, 'add_header Strict-Transport-Security');
        printed.says('again to each location that has its own `add_header`');
        replace(setup.locations, '= /index.html', 'add_header', `${setup.server.get('add_header')} add_header`);
      },
    },
  ],
  ...['listen 443;', 'listen 443 ssl; ssl_protocols TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;'].map(
    (directives): Row[] => [
      {
        ...NO_TLS,
        fault: ({ settings }) => settings.set(TLS, directives),
        fix: ({ settings }, printed) =>
          settings.set(TLS, `${printed.code('listen 443 ssl;')} ${printed.code('ssl_protocols')}`),
      },
    ],
  ),
  [
    {
      rule: 'tls/expires-soon',
      fault: ({ settings }) => settings.set(CERTIFICATE, 'expires-soon'),
      fix: ({ settings }, printed) => {
        printed.says('`certbot renew`');
        settings.set(CERTIFICATE, 'good');
      },
    },
  ],
];

const UNDER_ITS_NAME: Row = {
  rule: 'navigation/other-host',
  fault: ({ files, target }) => {
    const links = ['guide/', 'guide/setup/index.md'].map((path) => `- [A page](https://${SITE}/${path})\n`);
    files.set('navigation.md', `# Navigation\n\n- [Home](index.md)\n${links.join('')}`);
    target.url = `https://${PREVIEW}/`;
  },
  fix: ({ target }, printed) => {
    printed.says('Check the address in `suggestion`');
    target.url = printed.evidence('suggestion');
  },
};

export const PUBLIC: readonly Group[] = [
  MIXED,
  OTHER_HOST,
  CORS,
  FOREIGN,
  [EXTERNAL],
  ...CERTIFICATES,
  [UNDER_ITS_NAME],
].map((rows) => ({
  name: rows.map(({ rule }) => rule).join(', '),
  rows,
  host: 'server',
  base: published,
  start,
}));
