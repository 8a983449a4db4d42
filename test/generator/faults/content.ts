/** The agent index and the translations. */
import { text } from '../deployment.ts';
import { append, edit, fault, plainPages, type Fault, type FaultOptions } from './fault.ts';

const ONE_LANGUAGE: FaultOptions = { site: { languages: ['en'], pages: 8, depth: 2 } };
const TWO_LANGUAGES: FaultOptions = { site: { languages: ['en', 'ro'], pages: 8, depth: 1 } };

const agents: readonly Fault[] = [
  fault(
    'a page that is not there',
    { 'llms-txt': ['missing'] },
    (deployment) => ({
      check: 'llms-txt',
      code: 'missing',
      location: append(deployment, 'llms.txt', '- [Unwritten](zz-none.md): soon', '[Unwritten]'),
    }),
    ONE_LANGUAGE,
  ),
  fault(
    'a hash route',
    { 'llms-txt': ['hash-route'] },
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(deployment, 'llms.txt', `- [Again](/#/${path.split('/').map(encodeURIComponent).join('/')}): again`);
    },
    ONE_LANGUAGE,
  ),
  fault(
    'only links to another host',
    { 'llms-txt': ['no-own-links'] },
    (deployment) => {
      const list = '- [Guide](https://docs.example.com/guide.md): how to use it\n';
      deployment.files.set('llms.txt', `# Handbook\n\n> All about the lamp.\n\n## Contents\n\n${list}`);
    },
    ONE_LANGUAGE,
  ),
  fault(
    'no heading',
    { 'llms-txt': ['no-heading'] },
    (deployment) => edit(deployment, 'llms.txt', /^# .*\n/, ''),
    ONE_LANGUAGE,
  ),
  fault(
    'no links',
    { 'llms-txt': ['no-links'] },
    (deployment) => {
      deployment.files.set('llms.txt', '# Handbook\n\n> All about the lamp.\n\n## Contents\n\nSoon.\n');
    },
    ONE_LANGUAGE,
  ),
  fault(
    'an empty page that nothing else links to',
    { 'llms-txt': ['broken-page'] },
    (deployment) => {
      deployment.files.set('zz-empty.md', '');
      append(deployment, 'llms.txt', '- [Empty](zz-empty.md): soon');
    },
    ONE_LANGUAGE,
  ),
  fault(
    'a list before the heading',
    { 'llms-txt': ['heading-not-first'] },
    (deployment) => edit(deployment, 'llms.txt', /^/, 'Read this first.\n\n'),
    ONE_LANGUAGE,
  ),
  fault(
    'two first-level headings',
    { 'llms-txt': ['several-headings'] },
    (deployment) => edit(deployment, 'llms.txt', /\n## /, '\n# '),
    ONE_LANGUAGE,
  ),
  fault(
    'no summary',
    { 'llms-txt': ['no-summary'] },
    (deployment) => edit(deployment, 'llms.txt', /\n> .*\n/, ''),
    ONE_LANGUAGE,
  ),
  fault(
    'no sections',
    { 'llms-txt': ['no-sections'] },
    (deployment) => edit(deployment, 'llms.txt', /\n## .*\n/, ''),
    ONE_LANGUAGE,
  ),
  fault(
    'links in a sentence',
    { 'llms-txt': ['unlisted-links'] },
    (deployment) => {
      append(deployment, 'llms.txt', '## Optional\n\nBegin at [the home page](index.md).');
    },
    ONE_LANGUAGE,
  ),
  fault(
    'JSON',
    { 'llms-txt': ['json'] },
    (deployment) => {
      deployment.files.set('llms.txt', '{"pages": ["index.md"]}\n');
    },
    ONE_LANGUAGE,
  ),
];

/** A page of the second language. */
const translated = (path: string): string => `ro/${path}`;

type Locale = Readonly<Record<string, unknown>> | undefined;

/** The languages that the configuration names are changed. */
function locales(name: string, code: string, changed: (before: readonly Locale[]) => readonly Locale[]): Fault {
  return fault(
    name,
    { translations: [code] },
    (deployment) => {
      const config = JSON.parse(text(deployment.files.get('config.json'))) as { locales: readonly Locale[] };
      const after = { ...config, locales: changed(config.locales) };
      deployment.files.set('config.json', `${JSON.stringify(after, null, 2)}\n`);
    },
    TWO_LANGUAGES,
  );
}

const translations: readonly Fault[] = [
  fault(
    'no navigation in a language',
    { translations: ['navigation-missing'] },
    (deployment) => {
      deployment.files.delete(translated(deployment.site.navigation));
    },
    TWO_LANGUAGES,
  ),
  fault(
    'a page that only the default language has',
    { translations: ['page-missing'] },
    (deployment) => {
      deployment.files.set('zz-new.md', `# New\n\n${'The lamp is lit early. '.repeat(60)}\n`);
      append(deployment, 'index.md', '[New](zz-new.md)');
    },
    TWO_LANGUAGES,
  ),
  fault(
    'a section that was not translated',
    { translations: ['headings-differ'] },
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(deployment, path, '## A new section\n\nThe lamp has a new switch.');
    },
    TWO_LANGUAGES,
  ),
  fault(
    'code that was not translated',
    { translations: ['code-blocks-differ'] },
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(deployment, path, '```sh\nlamp --on\n```');
    },
    TWO_LANGUAGES,
  ),
  fault(
    'a table that was not translated',
    { translations: ['tables-differ'] },
    (deployment, drawn) => {
      const { path } = drawn.pick(plainPages(deployment));
      append(deployment, path, '| a | b |\n| --- | --- |\n| 1 | 2 |');
    },
    TWO_LANGUAGES,
  ),
  fault(
    'a language that is not there',
    { translations: ['language-missing'] },
    (deployment) => {
      for (const path of deployment.files.keys()) if (path.startsWith('ro/')) deployment.files.delete(path);
    },
    TWO_LANGUAGES,
  ),
  fault(
    'no home page in a language',
    { translations: ['home-missing'] },
    (deployment) => {
      deployment.files.delete(translated('index.md'));
    },
    TWO_LANGUAGES,
  ),
  fault(
    'a home page that is empty in a language',
    { translations: ['empty'] },
    (deployment) => {
      deployment.files.set(translated('index.md'), '');
    },
    TWO_LANGUAGES,
  ),
  locales('two languages in one folder', 'prefix-shared', ([first, second]) => [
    first,
    second,
    { ...second, code: 'md' },
  ]),
  locales('a prefix that leads out', 'prefix-invalid', ([first, second]) => [
    first,
    second,
    { ...second, code: 'md', prefix: '../md' },
  ]),
  locales('a code that is none', 'code-invalid', ([first, second]) => [first, { ...second, code: 'Română!' }]),
  locales('a code that comes twice', 'code-repeated', ([first, second]) => [
    first,
    { ...second, code: first?.['code'] },
  ]),
  locales('two default languages', 'several-defaults', ([first, second]) => [first, { ...second, isDefault: true }]),
];

export const CONTENT_FAULTS: readonly Fault[] = [...agents, ...translations];
