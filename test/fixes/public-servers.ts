/** Faults of HTTPS on the real Apache and Caddy, and what their printed fixes say. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startApache } from '../hosts/apache.ts';
import { runCaddy } from '../hosts/caddy.ts';
import { NO_TLS, SITE, throughProxy, writeCertificate, type Ports } from './public.ts';
import { add, atEnd, CADDYFILE, HTACCESS, on, onApache, onCaddy, SERVER } from './servers.ts';
import { replace, writeFiles, type Group, type Host, type Row, type Setup } from './setup.ts';

const HSTS = 'Strict-Transport-Security "max-age=31536000"';

async function serve(
  setup: Setup,
  run: (prefix: string, ports: Ports) => Promise<{ readonly trustFile: string; readonly stop: () => Promise<void> }>,
): Promise<Host> {
  const prefix = mkdtempSync(join(tmpdir(), 'docvitals-public-server-'));
  chmodSync(prefix, 0o755);
  writeFiles(join(prefix, 'site'), setup);
  return throughProxy(async (ports) => {
    const { trustFile, stop } = await run(prefix, ports);
    const end = async (): Promise<void> => {
      await stop();
      rmSync(prefix, { recursive: true });
    };
    return { trustFile, stop: end };
  });
}

/** The site is asked for by its name, over HTTPS. */
function named(setup: Setup): Setup {
  setup.target.url = `https://${SITE}/`;
  return setup;
}

/* Apache: the lines of the virtual hosts of port 80 and 443. */

const [PLAIN, SECURE] = ['<VirtualHost *:80>', '<VirtualHost *:443>'] as const;
const REDIRECT = `Redirect permanent / https://${SITE}/`;
const WITH_TLS = 'SSLEngine on';

function onSecureApache(): Setup {
  const setup = named(onApache());
  setup.settings.set(PLAIN, REDIRECT).set(SECURE, WITH_TLS);
  add(setup, `Header always set ${HSTS}`);
  return setup;
}

const virtualHost = (port: number, lines: string | undefined): string => `Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
ServerName ${SITE}
${lines}
</VirtualHost>`;

const startSecureApache = (setup: Setup): Promise<Host> =>
  serve(setup, async (prefix, { plain, secure }) => {
    const { settings } = setup;
    const trustFile = await writeCertificate(prefix, 'good');
    const pair = `SSLCertificateFile ${prefix}/cert.pem\nSSLCertificateKeyFile ${prefix}/key.pem`;
    const { stop } = await startApache(prefix, [
      settings.get(SERVER) ?? '',
      virtualHost(plain, settings.get(PLAIN)),
      virtualHost(secure, `${settings.get(SECURE)}\n${pair}`),
    ]);
    const end = async (): Promise<void> => {
      await stop();
      rmSync(dirname(trustFile), { recursive: true });
    };
    return { trustFile, stop: end };
  });

const APACHE: readonly (readonly Row[])[] = [
  [
    {
      rule: 'tls/no-https',
      fault: ({ settings, target }) => {
        settings.set(PLAIN, '').set(SECURE, '');
        target.url = `http://${SITE}/`;
      },
      // What certbot does with the two virtual hosts.
      fix: ({ settings, target }, printed) => {
        printed.says('`certbot --apache`');
        settings.set(PLAIN, REDIRECT).set(SECURE, WITH_TLS);
        target.url = `https://${SITE}/`;
      },
    },
  ],
  [
    {
      rule: 'tls/no-https-redirect',
      fault: ({ settings }) => settings.set(PLAIN, ''),
      fix: ({ settings }, printed) => {
        printed.says('In the `<VirtualHost>` of port 80');
        settings.set(PLAIN, printed.code('Redirect permanent'));
      },
    },
  ],
  [
    {
      rule: 'tls/no-hsts',
      fault: ({ files }) => replace(files, HTACCESS, `Header always set ${HSTS}\n`, ''),
      fix: (setup, printed) => add(setup, printed.code('Header always set')),
    },
  ],
  ...['', `${WITH_TLS}\nSSLProtocol -all +TLSv1.1\nSSLCipherSuite DEFAULT@SECLEVEL=0`].map((lines): Row[] => [
    {
      ...NO_TLS,
      fault: ({ settings }) => settings.set(SECURE, lines),
      fix: ({ settings }, printed) =>
        settings.set(SECURE, `${printed.code('SSLEngine on')}\n${printed.code('SSLProtocol')}`),
    },
  ]),
];

/* Caddy: it gets its certificates by itself, here from an authority of its own. */

const ADDRESS = 'address';

function onSecureCaddy(): Setup {
  const setup = named(onCaddy());
  setup.settings.set(ADDRESS, SITE);
  atEnd(setup, `  header ${HSTS}`);
  return setup;
}

const startSecureCaddy = (setup: Setup): Promise<Host> =>
  serve(setup, async (prefix, { plain, secure }) => {
    const { settings } = setup;
    const block = (settings.get(CADDYFILE) ?? '').replace('/var/www/docs', join(prefix, 'site'));
    const text = `{
  admin off
  local_certs
  skip_install_trust
  http_port ${plain}
  https_port ${secure}
}
${settings.get(ADDRESS)} {
  bind 127.0.0.1
  ${block}
}
`;
    const stop = await runCaddy(prefix, text, plain);
    return { trustFile: join(prefix, 'caddy/pki/authorities/local/root.crt'), stop };
  });

const CADDY: readonly (readonly Row[])[] = [
  [
    {
      rule: 'tls/no-https',
      fault: ({ settings, target }) => {
        settings.set(ADDRESS, `http://${SITE}`);
        target.url = `http://${SITE}/`;
      },
      fix: ({ settings, target }, printed) => {
        printed.says("Write the site's name without `http://`");
        settings.set(ADDRESS, SITE);
        target.url = `https://${SITE}/`;
      },
    },
  ],
  [
    {
      rule: 'tls/no-hsts',
      // Caddy's own authority gives certificates of 12 hours.
      also: ['tls/short-lived'],
      fault: ({ settings }) => replace(settings, CADDYFILE, `  header ${HSTS}\n`, ''),
      fix: (setup, printed) => atEnd(setup, `  ${printed.code('header Strict-Transport-Security')}`),
    },
  ],
];

export const SECURE_SERVERS: readonly Group[] = [
  ...on('Apache', APACHE, { base: onSecureApache, start: startSecureApache }),
  ...on('Caddy', CADDY, { base: onSecureCaddy, start: startSecureCaddy }),
];
