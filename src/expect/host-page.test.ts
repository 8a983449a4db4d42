import { describe, expect, it } from 'vitest';
import { hostPageIn } from './host-page.ts';

const page = (title: string, body = '<p>Text.</p>'): string =>
  `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`;

describe('a page of the host', () => {
  it.each([
    ['nginx', 'default', page('Welcome to nginx!')],
    ['nginx', 'default', page('Welcome to OpenResty!')],
    ['Apache', 'default', page('Apache2 Debian Default Page: It works')],
    ['Apache', 'default', page('Test Page for the HTTP Server on Fedora powered by Apache')],
    ['Apache', 'default', '<html><body><h1>It works!</h1></body></html>\n'],
    ['Caddy', 'default', page('Caddy works!')],
    ['IIS', 'default', page('IIS Windows Server')],
    ['lighttpd', 'default', page('Welcome page', '<h1>Placeholder page</h1> lighttpd')],
    ['Firebase Hosting', 'default', page('Welcome to Firebase Hosting')],
    ['Azure', 'default', page('Azure Static Web Apps - Welcome')],
    ['GitHub Pages', 'default', page('Site not found &middot; GitHub Pages', "There isn't a GitHub Pages site here.")],
    ['cPanel', 'default', page('Default Web Site Page')],
    ['Plesk', 'default', page('Web Server&#39;s Default Page')],
    ['GoDaddy', 'parked', page('', '<script>window.onload=function(){window.location.href="/lander"}</script>')],
    ['Sedo', 'parked', page('docs.example', '<script src="https://img.sedoparking.com/a.js"></script>')],
    [null, 'parked', page('docs.example', '<h1>This domain is for sale</h1>')],
    ['WordPress', 'maintenance', page('Maintenance', 'Briefly unavailable for scheduled maintenance.')],
    [null, 'maintenance', page('Site under maintenance')],
    [null, 'maintenance', page('We&rsquo;ll be back soon!')],
  ])('%s: %s', (product, kind, html) => {
    expect(hostPageIn(html)).toEqual({ product, kind });
  });

  it.each([
    ['a documentation of a server', page('Install nginx', '<h1>Welcome to nginx!</h1>')],
    ['a page about maintenance', page('Maintenance of the pump', '<h1>Under maintenance</h1>')],
    ['a page without a title', '<div id="app"></div><script src="app.js"></script>'],
    ['a long page', page('Welcome to nginx!', 'Text. '.repeat(10_000))],
  ])('is none: %s', (_, html) => {
    expect(hostPageIn(html)).toBeNull();
  });
});
