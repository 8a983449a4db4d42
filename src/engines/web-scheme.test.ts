import { describe, expect, it } from 'vitest';
import { misspelledScheme } from './link.ts';

describe('misspelledScheme', () => {
  it.each([
    ['https:*//a.example/b', 'https://a.example/b'],
    ['https:/a.example/b', 'https://a.example/b'],
    ['https:a.example', 'https://a.example'],
    ['https//a.example', 'https://a.example'],
    ['http;//a.example', 'http://a.example'],
    ['htps://a.example', 'https://a.example'],
    ['hhtp://a.example', 'http://a.example'],
    ['ttps://a.example', 'https://a.example'],
    ['HTTP:/A.example', 'http://A.example'],
    ['https://https://a.example', 'https://a.example'],
    ['http://https//a.example', 'https://a.example'],
    ['https:/host/a', null],
    ['https:', null],
  ])('%s means %s', (link, address) => {
    expect(misspelledScheme(link)).toBe(address);
  });

  it.each([
    'https://a.example',
    'http://http/a',
    'https://http:8080/a',
    'http/2.md',
    'https',
    'ftp://a.example',
    'sftp://a.example',
    'shttp://a.example',
    'hxxp://a.example',
    'ipp://a.example',
    'mailto:a@b.example',
    'http-basics.md',
  ])('%s is right, or something else', (link) => {
    expect(misspelledScheme(link)).toBeUndefined();
  });
});
