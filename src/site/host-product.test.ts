import { expect, it } from 'vitest';
import { readHeaders } from '../http/headers.ts';
import { hostByAddress, hostByHeaders } from './host-product.ts';

it.each([
  ['https://harbour.vercel.app/', 'Vercel'],
  ['https://harbour.github.io/docs/', 'GitHub Pages'],
  ['https://d111.cloudfront.net/', 'S3 and CloudFront'],
  ['https://docs.example.com/', undefined],
])('address %s: %s', (url, product) => {
  expect(hostByAddress(new URL(url))?.product).toBe(product);
});

it.each([
  [{ server: 'nginx/1.26.3' }, 'nginx'],
  [{ server: 'Apache/2.4.65 (Debian)' }, 'Apache'],
  [{ server: 'GitHub.com' }, 'GitHub Pages'],
  [{ server: 'proxy', 'x-nf-request-id': '01J' }, 'Netlify'],
  [{ server: 'cloudflare' }, undefined],
  [{ server: 'constructor' }, undefined],
  [{}, undefined],
])('headers %j: %s', (headers, product) => {
  expect(hostByHeaders({ headers: readHeaders(Object.entries(headers).flat()) })?.product).toBe(product);
});
