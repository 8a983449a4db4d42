/** Recognises pages that are not the site's: those of a server, a hoster or a registrar, with status 200. */

export interface HostPage {
  /** What shows the page; `null`: not known. */
  readonly product: string | null;
  /** `default`: of a server or hoster without a site; `parked`: of a domain; `maintenance`: of a site that is switched off. */
  readonly kind: 'default' | 'parked' | 'maintenance';
}

interface Sign extends HostPage {
  readonly title?: RegExp;
  readonly text?: RegExp;
}

/** Sources, read in November 2026: the files of the packages named, or the documentation of the hoster. */
const SIGNS: readonly Sign[] = [
  // nginx, html/index.html; OpenResty and Tengine change the name only
  { product: 'nginx', kind: 'default', title: /^Welcome to (?:nginx|OpenResty|tengine)/i },
  // Debian and Ubuntu, package apache2; Fedora and others, package httpd
  { product: 'Apache', kind: 'default', title: /^Apache2 (?:Debian|Ubuntu) Default Page\b/i },
  { product: 'Apache', kind: 'default', title: /^(?:Test Page for the|HTTP Server Test Page).*(?:Apache|powered by)/i },
  // httpd, docs/docroot/index.html
  {
    product: 'Apache',
    kind: 'default',
    text: /^\s*(?:<!doctype[^>]{0,200}>\s*)?<html>\s*(?:<head>[^]{0,200}<\/head>\s*)?<body>\s*<h1>It works!<\/h1>\s*<\/body>\s*<\/html>\s*$/i,
  },
  // caddy, package of Debian and the site's own welcome page
  { product: 'Caddy', kind: 'default', title: /^Caddy works!/i },
  // IIS, iisstart.htm
  { product: 'IIS', kind: 'default', title: /^(?:IIS Windows(?: Server)?|IIS\d+)$/i },
  // lighttpd, package of Debian
  { product: 'lighttpd', kind: 'default', title: /^Welcome page$/i, text: /lighttpd/ },
  // firebase-tools, templates/init/hosting/index.html
  { product: 'Firebase Hosting', kind: 'default', title: /^Welcome to Firebase Hosting$/i },
  // Azure App Service and Static Web Apps
  {
    product: 'Azure',
    kind: 'default',
    title: /^(?:Microsoft Azure App Service - Welcome|Azure Static Web Apps - Welcome)$/i,
  },
  // pages.github.com: with status 404, and with 200 behind a proxy
  {
    product: 'GitHub Pages',
    kind: 'default',
    title: /^Site not found\b/i,
    text: /There isn.t a GitHub Pages site here/,
  },
  { product: 'cPanel', kind: 'default', title: /^Default Web Site Page$/i },
  { product: 'Plesk', kind: 'default', title: /^(?:Web Server's Default Page|Domain Default page)$/i },
  {
    product: 'Hostinger',
    kind: 'default',
    title: /^(?:Default page|Hostinger DNS system default page)$/i,
    text: /hostinger/i,
  },
  // The page of GoDaddy leads to its advertisements by script.
  { product: 'GoDaddy', kind: 'parked', text: /window\.location\.href\s*=\s*["']\/lander["']/ },
  { product: 'Sedo', kind: 'parked', text: /sedoparking\.com|\bsedo\.com\/search\/details/i },
  { product: 'ParkingCrew', kind: 'parked', text: /parkingcrew\.net/i },
  { product: 'Bodis', kind: 'parked', text: /bodiscdn\.com|\bbodis\.com\/?["']/i },
  {
    product: null,
    kind: 'parked',
    text: /\b(?:this|the) domain(?: name)? (?:is|may be) (?:for sale|parked)\b|\bbuy this domain\b|\bthis domain has (?:recently )?(?:been registered|expired)\b/i,
  },
  // WordPress, wp-includes/load.php
  { product: 'WordPress', kind: 'maintenance', text: /Briefly unavailable for scheduled maintenance/ },
  {
    product: null,
    kind: 'maintenance',
    title:
      /\b(?:under|down for|scheduled) maintenance\b|^(?:site |website )?maintenance(?: mode)?$|^(?:we.ll|we will) be (?:right )?back\b/i,
  },
];

/** Longer pages are somebody's own (UTF-16 code units). */
const LONGEST = 32 * 1024;

/** `null`: the page of a site. Only for one of no engine that is known. */
export function hostPageIn(html: string): HostPage | null {
  if (html.length > LONGEST) return null;
  const readable = html.replaceAll(/&(?:rsquo|#8217|#39|apos);/g, "'");
  const words = /<title[^>]{0,200}>([^<]{0,300})/i.exec(readable)?.[1]?.trim() ?? '';
  const sign = SIGNS.find((one) => (one.title?.test(words) ?? true) && (one.text?.test(readable) ?? true));
  return sign === undefined ? null : { product: sign.product, kind: sign.kind };
}
