import {
  ASSET_CACHE_CONTROL,
  BUNDLE_CACHE_CONTROL,
  GZIP_TYPES,
  LONG_LIVED,
  type ConfigurationRequest,
} from './rules.ts';

/** Folder of the deployed files. */
export const NGINX_ROOT = '/var/www/docs';

/** The server blocks of a plain web server, for a folder that nginx's `http` block includes. */
export function nginxConfiguration({ base, improved, url = null }: ConfigurationRequest): string {
  // Any other host would have to be escaped, and cannot be in a certificate.
  const named = url !== null && /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url : null;
  return improved ? improvedBlock(base, named) : documentedBlock(base, named);
}

const assets = String.raw`\.(${LONG_LIVED.join('|')})$`;

/** Addresses, files and compression: the part before the locations. */
const head = (base: string, url: URL | null): string => `${url?.protocol === 'https:' ? redirect(url) : ''}server {
${listening(url, base)}
    # The directory of the deployed files.${base === '/' ? '' : ` The site itself is below it, in ${NGINX_ROOT}${base.slice(0, -1)}.`}
    root ${NGINX_ROOT};
    index index.html;

    gzip on;
    gzip_types ${GZIP_TYPES.join(' ')};
`;

function listening(url: URL | null, base: string): string {
  if (url === null) {
    return `    listen 80;
    # Needed where other sites share this server, and for TLS; --url https://docs.example.com/ adds both.
    # server_name docs.example.com;
`;
  }
  const address = url.hostname.startsWith('[') ? '[::]:' : '';
  if (url.protocol === 'http:') return `    listen ${address}${url.port || 80};\n    server_name ${url.hostname};\n`;
  const certificate = `/etc/letsencrypt/live/${url.hostname}`;
  return `    listen ${address}${url.port || 443} ssl;
    server_name ${url.hostname};

    # If a proxy or CDN in front answers for HTTPS, use --url http://${url.hostname}${base} instead.
    # The certificate, where certbot puts it: certbot certonly --standalone -d ${url.hostname}
    ssl_certificate ${certificate}/fullchain.pem;
    ssl_certificate_key ${certificate}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
`;
}

const redirect = ({ hostname, port }: URL): string => `# Plain HTTP leads to HTTPS.
server {
    listen ${hostname.startsWith('[') ? '[::]:' : ''}80;
    server_name ${hostname};

    # The challenge of the certificate authority, for certbot renew --webroot -w ${NGINX_ROOT}.
    location /.well-known/acme-challenge/ {
        root ${NGINX_ROOT};
    }

    location / {
        return 301 https://$host${port === '' ? '' : `:${port}`}$request_uri;
    }
}

`;

const documentedBlock = (
  base: string,
  url: URL | null,
): string => `# A static Markdown documentation site on a plain web server, by the documented rules.
# Save it where the http block of nginx.conf includes it, such as /etc/nginx/conf.d/docs.conf.
#
# docvitals check --full warns about these rules:
# caching/config-cached: the location for .json files covers /config.json too, so browsers keep old settings for 30 days.
# compression/vary-accept-encoding: gzip is on without gzip_vary, so a cache may send compressed bytes to clients that
#   cannot read them.
# home/media-type, navigation/media-type: nginx has no media type for .md and sends application/octet-stream.
# Without --documented, docvitals hosting server prints rules that pass.

${head(base, url)}
    location ${base} {
        try_files $uri $uri/ ${base}index.html;
    }

    location = ${base}index.html {
        add_header Cache-Control "${BUNDLE_CACHE_CONTROL}";
    }

    location ~* ${assets} {
        expires 30d;
        add_header Cache-Control "${ASSET_CACHE_CONTROL}";
    }
}
`;

const cacheControl = (
  base: string,
): string => `# Differs (add_header): an add_header inside a location drops those of the levels above it, such as Vary or HSTS.
# So no location below has an add_header: this map gives each file its Cache-Control, and the server block sends it.
map $uri $docs_cache_control {
    # Nothing is sent for an empty value.
    default "";
    ${base}index.html "${BUNDLE_CACHE_CONTROL}";
    # Differs (config.json): the rule for .json files would keep it, and the old settings, for 30 days.
    ${base}config.json "${BUNDLE_CACHE_CONTROL}";
    "~*${assets}" "${ASSET_CACHE_CONTROL}";
}
`;

const pages = (base: string): string => `    location ${base} {
        # Differs (soft 404): a missing file is answered with 404, not with the bundle and status 200.
        try_files $uri @page;
    }

    # What is not a file: a folder with an index.html of its own, or with a page (index.md), which gets the bundle.
    # Differs: with "$uri/" a folder without index.html is answered with 403.
    location @page {
        if (-d $request_filename) {
            rewrite ^(.*[^/])$ $1/ permanent;
        }
        if (-f $request_filename/index.html) {
            rewrite ^(.*)/$ $1/index.html last;
        }
        if (-f $request_filename/index.md) {
            rewrite ^ ${base}index.html last;
        }
        return 404;
    }
`;

const MARKDOWN = `    # Differs (Markdown): nginx has no media type for .md and would send application/octet-stream, uncompressed.
    location ~* \\.md$ {
        types { }
        default_type text/markdown;
    }
`;

const STRICT_TRANSPORT = `
    # Once the whole site works over HTTPS (browsers remember this):
    # add_header Strict-Transport-Security "max-age=31536000" always;
`;

const improvedBlock = (
  base: string,
  url: URL | null,
): string => `# A static Markdown documentation site on a plain web server.
# Save it where the http block of nginx.conf includes it, such as /etc/nginx/conf.d/docs.conf.
# docvitals check --full --strict passes. Comments that begin with "Differs" say where the documented rules are changed
# for that; docvitals hosting server --documented prints them unchanged.

${cacheControl(base)}
${head(base, url)}
    # Differs (Vary): without it, a cache in front sends compressed bytes to clients that cannot read them.
    gzip_vary on;
    # Differs: by default, nginx compresses nothing for a proxy or CDN in front.
    gzip_proxied any;

    # Differs (charset): text without a charset is shown with wrong diacritics. nginx always includes text/html.
    charset utf-8;
    charset_types text/plain text/markdown;

    # Headers for all responses belong here, beside this one.
    add_header Cache-Control $docs_cache_control;
${url?.protocol === 'https:' ? STRICT_TRANSPORT : ''}
    # Differs (.git): a deployment that is a clone of the repository would publish its .git folder.
    location ~ /\\.(?!well-known/) {
        return 404;
    }

${pages(base)}
${MARKDOWN}
    location = ${base}config.json {
        try_files $uri =404;
    }

    location ~* ${assets} {
        expires 30d;
    }
}
`;
