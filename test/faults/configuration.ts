/** Faults of config.json: its syntax, its values, and the files that it names. */
import { fail, file, healthy, row, skip, warn } from './fault.ts';
import type { Fault, Outcome } from './fault.ts';

const config = (name: string, body: string, outcome: Outcome): Fault => file('config', name, { body }, outcome);

const names = (name: string, settings: object, expected: Fault['expected']): Fault =>
  row(`config.json: ${name}`, { files: { 'config.json': { body: JSON.stringify(settings) } } }, expected);

const syntax: readonly Fault[] = [
  config('trailing comma', '{\n  "title": "Tidewater",\n  "homePage": "index.md",\n}\n', fail('trailing-comma')),
  config('trailing comma in a list', '{"locales": ["en", "ro",]}', fail('trailing-comma')),
  config('unclosed quote', '{\n  "title": "Tidewater,\n  "homePage": "index.md"\n}\n', fail('unclosed-string')),
  config('comment', '{\n  // The name in the title bar.\n  "title": "Tidewater"\n}\n', fail('comment')),
  config('block comment', '{ /* none */ }', fail('comment')),
  config('single quotes', "{'title': 'Tidewater'}", fail('single-quotes')),
  config('key without quotes', '{title: "Tidewater"}', fail('unquoted-key')),
  config('missing comma', '{\n  "title": "Tidewater"\n  "homePage": "index.md"\n}\n', fail('missing-comma')),
  config('a raw tab', '{"title": "Tide\twater"}', fail('control-character')),
  config(
    'a merge conflict',
    '<<<<<<< HEAD\n{"title": "a"}\n=======\n{"title": "b"}\n>>>>>>> deploy\n',
    fail('merge-conflict'),
  ),
  config(
    'a Git LFS pointer',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 512\n`,
    fail('git-lfs-pointer'),
  ),
  config('NaN', '{"ratio": NaN}', fail('not-a-number')),
  config('undefined', '{"title": undefined}', fail('not-a-number')),
  config('cut short', '{\n  "title": "Tidewater",\n  "locales": [\n    {"code": "en"', fail('incomplete')),
  config('something after the end', '{"title": "Tidewater"}\n{"title": "Tidewater"}\n', fail('text-after-end')),
  config('typographic quotes', '{“title”: “Tidewater”}', fail('syntax')),
  config('YAML', 'title: Tidewater\nhomePage: index.md\n', fail('syntax')),
];

const values: readonly Fault[] = [
  config('a list', '["index.md"]', fail('not-object')),
  config('null', 'null', fail('not-object')),
  config('homePage is a number', '{"homePage": 1}', fail('setting-type')),
  config('homePage is longer than any path', `{"homePage": "${'x'.repeat(9_000)}"}`, fail('setting-type')),
  config('navigationFile is null', '{"navigationFile": null}', fail('setting-type')),
  config('llmsTxtUrl is false', '{"llmsTxtUrl": false}', fail('setting-type')),
  config('the same key twice', '{"title": "a", "title": "b"}', warn('duplicate-key')),
  config('byte order mark', '\ufeff{"title": "Tidewater"}', warn('byte-order-mark')),
  config('a number out of range', '{"ratio": 1e999}', warn('number-range')),
  config('a __proto__ key', '{"__proto__": {"homePage": "elsewhere.md"}}', warn('proto-key')),
  config('501 levels deep', `{"deep": ${'['.repeat(501)}${']'.repeat(501)}}`, warn('deep-nesting')),
  file('config', 'text/plain', { type: 'text/plain' }, warn('media-type')),
  file(
    'config',
    'the same key twice, which rules call an error',
    { body: '{"title": "a", "title": "b"}' },
    fail('duplicate-key'),
    {
      config: { rules: { 'config/duplicate-key': 'error' } },
    },
  ),
  healthy(
    'config.json: the same key twice, which rules turn off',
    { files: { 'config.json': { body: '{"title": "a", "title": "b"}' } } },
    {},
    {
      config: { rules: { 'config/duplicate-key': 'off' } },
    },
  ),
];

/** A healthy config.json that names files which are at fault: the fault belongs to the check of that file. */
const named: readonly Fault[] = [
  names('homePage names no file', { homePage: 'welcome.md' }, { home: fail('wrong-setting') }),
  names('homePage names a folder as a file', { homePage: 'start.md' }, { home: fail('folder-index') }),
  names('homePage differs by case', { homePage: 'Index.md' }, { home: fail('letter-case') }),
  names('navigationFile names no file', { navigationFile: 'menu.md' }, { navigation: fail('wrong-setting') }),
  names('llmsTxtUrl names no file', { llmsTxtUrl: '/agents.txt' }, { 'llms-txt': fail('wrong-setting') }),
  names('homePage names the bundle', { homePage: 'index.html' }, { home: fail('html') }),
  names('llmsTxtUrl is null', { llmsTxtUrl: null }, { 'llms-txt': skip('off') }),
];

export const configuration: readonly Fault[] = [...syntax, ...values, ...named];
