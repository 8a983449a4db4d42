import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, GZIP_TYPES, LONG_LIVED, type HostRules } from './rules.ts';

/** Where the generated file says that the deployed files are. */
export const NGINX_ROOT = '/var/www/docs';

/** The server block of a plain web server, for a folder that nginx's `http` block includes. */
export function nginxConfiguration({ base, improved }: HostRules): string {
  return improved ? mended(base) : documented(base);
}

const assets = String.raw`\.(${LONG_LIVED.join('|')})$`;

const head = (base: string): string => `server {
    listen 80;
    # Needed where other sites share this server:
    # server_name docs.example.com;

    # The directory of the deployed files.${base === '/' ? '' : ` The site itself is below it, in ${NGINX_ROOT}${base.slice(0, -1)}.`}
    root ${NGINX_ROOT};
    index index.html;

    gzip on;
    gzip_types ${GZIP_TYPES.join(' ')};
`;

const documented = (base: string): string => `# A static Markdown documentation site on a plain web server.
# Save it where the http block of nginx.conf includes it, such as /etc/nginx/conf.d/docs.conf.
${head(base)}
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
): string => `# Mended: nested add_header. An add_header inside a location drops all those of the levels above it (a Vary, an HSTS).
# So no location below has one of its own: this map gives each file its Cache-Control, and the server block sends it.
map $uri $docs_cache_control {
    # Nothing is sent for an empty value.
    default "";
    ${base}index.html "${BUNDLE_CACHE_CONTROL}";
    # Mended: config.json. The rule for .json files would keep it for 30 days, and with it the old site after a deploy.
    ${base}config.json "${BUNDLE_CACHE_CONTROL}";
    "~*${assets}" "${ASSET_CACHE_CONTROL}";
}
`;

const pages = (base: string): string => `    location ${base} {
        # Mended: soft 404. A file that is not there is answered with 404, not with the bundle and status 200.
        try_files $uri @page;
    }

    # What is no file: a folder with an index.html of its own, or with a page (index.md), which gets the bundle.
    # Mended: with "$uri/" a folder without index.html is answered with 403.
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

const MARKDOWN = `    # Mended: Markdown's type. nginx has none for .md and would send application/octet-stream, uncompressed.
    location ~* \\.md$ {
        types { }
        default_type text/markdown;
    }
`;

const mended = (
  base: string,
): string => `# A static Markdown documentation site on a plain web server, with the traps of the documented rules mended.
# Save it where the http block of nginx.conf includes it, such as /etc/nginx/conf.d/docs.conf.

${cacheControl(base)}
${head(base)}
    # Mended: Vary. Without it a cache in front hands compressed bytes to clients that cannot read them.
    gzip_vary on;

    # Mended: letters. Text without a charset is shown with wrong diacritics (HTML, which nginx always counts in, too).
    charset utf-8;
    charset_types text/plain text/markdown;

    # Headers for all answers belong here, beside this one.
    add_header Cache-Control $docs_cache_control;

    # Mended: a deployment that is a clone of the repository shows its .git folder to everybody.
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
