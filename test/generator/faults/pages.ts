/** Pages that are there and are not what they should be; and the five files that a run begins with. */
import { text, type HostReply } from '../deployment.ts';
import { addPage, changeReply, edit, fault, NOT_SERVER, plainPages, type Fault, type FaultOptions } from './fault.ts';

const ONE_LANGUAGE: FaultOptions = { site: { languages: ['fr'], pages: 10, depth: 2 } };

const HTML = '<!doctype html>\n<html lang="en"><title>Please sign in</title><form><input name="name"></form></html>\n';
const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n';
const CONFLICT = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n';

/** A page of the site has this body. */
function body(name: string, code: string, made: (before: string) => string | Uint8Array): Fault {
  return fault(
    `a page that is ${name}`,
    { links: [code] },
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      deployment.files.set(path, made(text(deployment.files.get(path))));
    },
    ONE_LANGUAGE,
  );
}

/** A page of the site is answered like this. */
function reply(
  name: string,
  code: string,
  changed: (before: HostReply) => Partial<HostReply>,
  options = ONE_LANGUAGE,
): Fault {
  return fault(
    `a page answered with ${name}`,
    { links: [code] },
    (deployment, drawn) => {
      changeReply(deployment, drawn.pick(plainPages(deployment)).path, changed);
    },
    options,
  );
}

const pages: readonly Fault[] = [
  body('empty', 'empty', () => ''),
  body('white space', 'empty', () => ' \n\n\t\n'),
  body('front matter and nothing else', 'no-content', () => '---\ntitle: x\n---\n'),
  body('an HTML page', 'html', () => HTML),
  body('binary', 'binary', () => Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])),
  body('in Latin-1', 'not-utf8', () => Buffer.from('# Marées\n\nÀ côté du quai.\n', 'latin1')),
  body('in conflict', 'merge-conflict', (before) => before + CONFLICT),
  reply('500', 'server-error', () => ({ status: 500, body: Buffer.from('oops') })),
  reply('503', 'server-error', () => ({ status: 503, body: Buffer.from('busy') })),
  reply('403', 'forbidden', () => ({ status: 403, body: Buffer.from('no') })),
  reply('429', 'rate-limited', () => ({ status: 429, body: Buffer.from('later') })),
  reply('418', 'status', () => ({ status: 418, body: Buffer.from('tea') })),
  fault(
    'a page that leads to another',
    { links: ['redirected'] },
    (deployment) => {
      const [from, to] = [addPage(deployment, 'pier.md'), addPage(deployment, 'quay.md')];
      changeReply(deployment, from, () => ({ status: 302, headers: { location: `/${to}` }, body: Buffer.alloc(0) }));
    },
    ONE_LANGUAGE,
  ),
  body('an LFS pointer', 'git-lfs-pointer', () => LFS_POINTER),
  reply(
    'a redirect to the bundle',
    'missing',
    () => ({ status: 302, headers: { location: '/' }, body: Buffer.alloc(0) }),
    {
      ...ONE_LANGUAGE,
      kinds: NOT_SERVER,
    },
  ),
  reply('another type', 'media-type', ({ headers }) => ({
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  })),
];

/** Faults of the five, which no other check may repeat. */
const five: readonly Fault[] = [
  fault(
    'config.json with a trailing comma',
    { config: ['trailing-comma'] },
    (deployment) => edit(deployment, 'config.json', /\n}\n$/, ',\n}\n'),
    ONE_LANGUAGE,
  ),
  fault(
    'config.json in conflict',
    { config: ['merge-conflict'] },
    (deployment) => {
      deployment.files.set('config.json', `{\n${CONFLICT}}\n`);
    },
    { site: { languages: ['en', 'ro'], pages: 9, depth: 1 } },
  ),
  fault(
    'config.json with a homePage that is no text',
    { config: ['setting-type'] },
    (deployment) => edit(deployment, 'config.json', /"llmsTxtUrl": .*/, '"llmsTxtUrl": 7,'),
    { site: { languages: ['ja'], pages: 9, depth: 1 } },
  ),
  fault(
    'a navigation without links',
    { navigation: ['no-links'] },
    (deployment) => {
      deployment.files.set(deployment.site.navigation, '# Contents\n\nSoon.\n');
    },
    ONE_LANGUAGE,
  ),
  fault(
    'an empty home page',
    { home: ['empty'] },
    (deployment) => {
      deployment.files.set('index.md', '');
    },
    { ...ONE_LANGUAGE, hides: { negotiation: ['filesystem-first'] } },
  ),
  fault(
    'a home page in conflict',
    { home: ['merge-conflict'] },
    (deployment) => {
      deployment.files.set('index.md', text(deployment.files.get('index.md')) + CONFLICT);
    },
    ONE_LANGUAGE,
  ),
  fault(
    'an agent index that is an HTML page',
    { 'llms-txt': ['html'] },
    (deployment) => {
      deployment.files.set('llms.txt', HTML);
    },
    ONE_LANGUAGE,
  ),
  fault(
    'an agent index that is not there',
    (kind) => ({ 'llms-txt': [kind === 'server' ? 'spa-fallback' : 'not-found'] }),
    (deployment) => {
      deployment.files.delete('llms.txt');
    },
    ONE_LANGUAGE,
  ),
  fault(
    'a navigation that is not there',
    (kind) => ({ navigation: [kind === 'server' ? 'spa-fallback' : 'not-found'] }),
    (deployment) => {
      deployment.files.delete(deployment.site.navigation);
    },
    ONE_LANGUAGE,
  ),
];

export const PAGE_FAULTS: readonly Fault[] = [...pages, ...five];
