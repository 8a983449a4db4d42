/** Every mistake that a configuration can hold, and where it is reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/locales/language.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigError, type ConfigProblem } from '../../../src/config/problem.ts';
import { renderProblem } from '../../../src/config/messages.ts';

const SECRET = 'c0rrect-h0rse';
const env = { TOKEN: SECRET, BROKEN: `${SECRET}\r\nX: y`, EMPTY: '' };
const known = {
  builtIn: { bundle: ['not-html'], config: [], navigation: ['no-links', 'not-found'], home: [], 'llms-txt': [] },
  own: ['contains', 'too-slow'],
  full: [],
};

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-mistakes-'));
});

afterAll(async () => {
  await rm(cwd, { recursive: true, force: true });
});

let files = 0;

async function load(extension: string, text: string): Promise<readonly ConfigProblem[]> {
  const file = `${++files}.${extension}`;
  await writeFile(path.join(cwd, file), text);
  try {
    await loadConfig({ cwd, file, env, known });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Each problem as a row of a table: `line:column key kind`. */
function told(problems: readonly ConfigProblem[]): string[] {
  if (problems.length === 0) return ['ok'];
  return problems.map(({ line, column, key, expected: { kind } }) => `${line}:${column} ${key} ${kind}`);
}

/** An own check with the given line first: its value begins on line 2. */
const own = (line: string): string => {
  const rest = ['id: x', 'title: X', 'path: x'].filter((other) => other.split(':')[0] !== line.split(':')[0]);
  return `checks:\n  - ${[line, ...rest].join('\n    ')}\n`;
};
/** An own check that expects this: its value begins on line 3. */
const expects = (line: string): string => own(`expect:\n      ${line}`);
/** An own check with this line in its schema, on line 5. */
const schema = (line: string): string => expects(`json:\n        schema:\n          ${line}`);
const bomb = [
  'a: &a [x]',
  ...Array.from(
    { length: 9 },
    (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${Array(9).fill(`*${'abcdefghi'[n]}`).join(', ')}]`,
  ),
].join('\n');

const YAML: readonly (readonly [name: string, text: string, ...expected: string[]])[] = [
  // Form
  ['an unknown key', 'urll: https://x.example/', '1:1 urll unknown-key'],
  ['an unknown key inside', 'limits:\n  timeuot: 10s', '2:3 limits.timeuot unknown-key'],
  ['a key of Object', 'constructor: 1', '1:1 constructor unknown-key'],
  ['the prototype as a key', '__proto__: 1', '1:1 __proto__ unknown-key'],
  ['a list at the top', '- url', '1:1  mapping'],
  ['text at the top', 'hello', '1:1  mapping'],
  ['a language that is none', 'language: de', '1:11 language one-of'],
  ['YAML 1.1 truth', 'strict: yes', '1:9 strict boolean'],
  ['one id instead of a list', 'only: bundle', '1:7 only list'],
  ['an id that is a number', 'only: [1]', '1:8 only[0] text'],
  ['an empty mapping', 'limits:', '1:8 limits mapping'],
  ['a duration in words', 'limits:\n  timeout: 10 seconds', '2:12 limits.timeout duration'],
  ['a duration without a unit', 'limits:\n  timeout: 10', '2:12 limits.timeout duration-unit'],
  ['a quoted duration without a unit', 'limits: { parse: "10" }', '1:18 limits.parse duration-unit'],
  ['a duration of nothing', 'limits: { timeout: 0s }', '1:20 limits.timeout duration-range'],
  ['a duration of two days', 'limits: { deadline: 48h }', '1:21 limits.deadline duration-range'],
  ['a rate in words', 'limits: { rate: fast }', '1:17 limits.rate rate'],
  ['a rate below zero', 'limits: { rate: -1 }', '1:17 limits.rate rate'],
  ['no pages', 'limits: { maxPages: 0 }', '1:21 limits.maxPages integer'],
  ['an endless depth', 'limits: { maxDepth: 1001 }', '1:21 limits.maxDepth integer'],
  ['a host of no kind', 'host: cdn', '1:7 host one-of'],
  ['a place of a version that is a list', 'versionFrom: [version.json]', '1:14 versionFrom version-from'],
  ['a place of a version without a path', 'versionFrom: "#/commit"', '1:14 versionFrom version-from'],
  ['a place of a version outside', 'versionFrom: ../version.json', '1:14 versionFrom path-outside'],
  ['a place of a version, its expression open', 'versionFrom: about.txt#rev (', '1:14 versionFrom version-from'],
  ['a place of a version', 'versionFrom: /version.json#/commit', 'ok'],
  ['retries below zero', 'limits: { retries: -1 }', '1:20 limits.retries integer'],
  ['retries of a half', 'limits: { retries: 0.5 }', '1:20 limits.retries integer'],
  ['a size in words', 'limits: { body: big }', '1:17 limits.body size'],
  ['a size of nothing', 'limits: { body: 0 }', '1:17 limits.body size-range'],
  ['a size of two GiB', 'limits: { body: 2GiB }', '1:17 limits.body size-range'],
  ['a header that is a number', 'headers: { X-Id: 5 }', '1:18 headers.X-Id text'],
  ['a severity that is none', 'rules: { navigation/no-links: ignore }', '1:31 rules.navigation/no-links one-of'],
  ['a severity that is the status of a check', 'rules: { navigation/no-links: warn }', 'ok'],
  [
    'a severity that is another status',
    'rules: { navigation/no-links: pass }',
    '1:31 rules.navigation/no-links one-of',
  ],
  ['severity off unquoted is text', 'rules: { navigation/no-links: off }', 'ok'],
  ['a rule without its name', 'rules:\n  navigation: off', '2:3 rules.navigation rule-key'],
  ['two mistakes, in the order of the text', 'strict: 1\nlanguage: x', '1:9 strict boolean', '2:11 language one-of'],
  // Meaning
  ['a url that is none', 'url: docs.example.org', '1:6 url url'],
  ['a url of another scheme', 'url: ftp://x.example/', '1:6 url url'],
  ['a url of a file', 'url: file:///srv/docs/', '1:6 url file-url'],
  ['a check that is not there', 'only: [bundle, navigaton]', '1:16 only[1] unknown-check'],
  ['a check of the user in skip', 'skip: [x]\nchecks: [{ id: x, title: X, path: x }]', 'ok'],
  ['a rule for no check', 'rules:\n  nav/no-links: off', '2:3 rules.nav/no-links unknown-check'],
  ['a rule that no check has', 'rules:\n  navigation/no-link: off', '2:3 rules.navigation/no-link unknown-rule'],
  ['an address that is none', 'resolve:\n  - x.example:443', '2:5 resolve[0] resolve'],
  ['a variable that is not set', 'headers:\n  X: "a ${NO}"', '2:6 headers.X env-missing'],
  ['a variable that is empty', 'headers:\n  X: "${EMPTY}"', '2:6 headers.X env-missing'],
  ['a variable in a url that is not set', 'url: "https://${NO}/"', '1:6 url env-missing'],
  ['a variable without an end', 'headers:\n  X: "${TOKEN"', '2:6 headers.X env-syntax'],
  ['a variable with line breaks', 'headers:\n  X: "${BROKEN}"', '2:6 headers.X header-value'],
  ['a header name with a space', 'headers:\n  X Y: a', '2:3 headers.X Y header-name'],
  ['a header with two', 'headers:\n  X Y: "→"', '2:3 headers.X Y header-name', '2:8 headers.X Y header-value'],
  ['a header of the client', 'headers:\n  Content-Length: "1"', '2:3 headers.Content-Length header-reserved'],
  ['a header twice', 'headers:\n  X-A: a\n  x-a: b', '3:3 headers.x-a duplicate-key'],
  // Own checks
  ['an own check without a title', 'checks:\n  - id: x\n    path: x', '2:5 checks[0] missing-key'],
  [
    'an own check without anything',
    'checks:\n  - {}',
    '2:5 checks[0] missing-key',
    '2:5 checks[0] missing-key',
    '2:5 checks[0] missing-key',
  ],
  ['an own id with capitals', own('id: My Check'), '2:9 checks[0].id own-id'],
  ['an own id that is built in', own('id: home'), '2:9 checks[0].id id-built-in'],
  [
    'an own id twice',
    'checks:\n  - { id: x, title: X, path: x }\n  - { id: x, title: X, path: x }',
    '3:11 checks[1].id id-twice',
  ],
  ['a path that climbs', own('path: ../x'), '2:11 checks[0].path path-outside'],
  ['a path that climbs, encoded', own('path: a/%2e%2E/.%2e/x'), '2:11 checks[0].path path-outside'],
  ['a path that climbs and comes back', own('path: a/../x'), 'ok'],
  ['a path from the root', own('path: /x'), 'ok'],
  ['a path from the root that climbs', own('path: /../x'), '2:11 checks[0].path path-outside'],
  ['a path to another host', own('path: //evil.example/x'), '2:11 checks[0].path path'],
  ['a path with backslashes', own('path: \\\\evil.example\\x'), '2:11 checks[0].path path'],
  ['a path that is a URL', own('path: https://evil.example/x'), '2:11 checks[0].path path'],
  ['a path that is a hash route', own('path: "#/x.md"'), '2:11 checks[0].path path'],
  ['a status of a thousand', expects('status: 1000'), '3:15 checks[0].expect.status status'],
  ['a status in words', expects('status: OK'), '3:15 checks[0].expect.status status'],
  ['a status in a list', expects('status: [200, "301"]'), '3:21 checks[0].expect.status[1] status'],
  ['no status in a list', expects('status: []'), '3:15 checks[0].expect.status status'],
  ['a media type that is none', expects('mediaType: html'), '3:18 checks[0].expect.mediaType media-type'],
  ['a media type with a wildcard', expects('mediaType: [text/*]'), '3:19 checks[0].expect.mediaType[0] media-type'],
  ['json: false', expects('json: false'), '3:13 checks[0].expect.json json'],
  [
    'json with another key',
    expects('json: { shema: {} }'),
    '3:13 checks[0].expect.json missing-key',
    '3:15 checks[0].expect.json.shema unknown-key',
  ],
  ['a schema that is a path', expects('json: { schema: x.json }'), '3:23 checks[0].expect.json.schema mapping'],
  ['markdown: false', expects('markdown: false'), '3:17 checks[0].expect.markdown true'],
  ['empty text to contain', expects('contains: ""'), '3:17 checks[0].expect.contains texts'],
  ['an empty text in a list', expects('notContains: [a, ""]'), '3:24 checks[0].expect.notContains[1] text'],
  ['a header pattern that is none', expects('headers: { X: "/(/" }'), '3:21 checks[0].expect.headers.X regex'],
  ['a header pattern with state', expects('headers: { X: "/a/g" }'), '3:21 checks[0].expect.headers.X regex'],
  ['a response header without a name', expects('headers: { "": a }'), '3:18 checks[0].expect.headers. header-name'],
  ['a longest duration without a unit', expects('maxDuration: 2'), '3:20 checks[0].expect.maxDuration duration-unit'],
  ['a fix without English', own('fix: { ro: text }'), '2:10 checks[0].fix missing-key'],
  ['a fix in another language', own('fix: { en: a, de: b }'), '2:19 checks[0].fix.de unknown-key'],
  ['a fix that is a list', own('fix: [a]'), '2:10 checks[0].fix fix'],
  // Schemas of the user's own
  ['a schema of a type that is none', schema('type: objekt'), '5:17 checks[0].expect.json.schema.type schema'],
  [
    'a schema with an old list of items',
    schema('items: [{ type: string }]'),
    '5:18 checks[0].expect.json.schema.items schema',
  ],
  [
    'a broken schema inside a list',
    schema('anyOf: [{}, { type: x }]'),
    '5:31 checks[0].expect.json.schema.anyOf[1].type schema',
  ],
  [
    'a schema with a remote $ref',
    schema('$ref: https://x.example/s'),
    '5:11 checks[0].expect.json.schema schema-remote',
  ],
  ['a schema with a relative $ref', schema('$ref: other.json'), '5:11 checks[0].expect.json.schema schema-remote'],
  ['a schema with a $ref to nothing', schema('$ref: "#/$defs/x"'), '5:11 checks[0].expect.json.schema schema'],
  ['a schema with a bad pattern', schema('pattern: "("'), '5:11 checks[0].expect.json.schema schema'],
  [
    'a schema of an unknown draft',
    schema('$schema: http://json-schema.org/draft-04/schema#'),
    '5:20 checks[0].expect.json.schema.$schema schema',
  ],
  ['a schema that is asynchronous', schema('$async: true'), '5:19 checks[0].expect.json.schema.$async schema'],
  ['a schema with $data', schema('maximum: { $data: 1/x }'), '5:20 checks[0].expect.json.schema.maximum schema'],
  // YAML itself
  ['a tab', 'limits:\n\ttimeout: 1s', '2:1  yaml-tab'],
  ['a key twice', 'strict: true\nstrict: false', '2:1 strict duplicate-key'],
  ['a key twice inside', 'checks:\n  - id: a\n    id: b', '3:5 checks[0].id duplicate-key'],
  ['an open quote', 'language: en\nurl: "https://x.example/\nstrict: true', '2:6  yaml-quote'],
  ['a second colon', 'url: a: b', '1:6  yaml-colon'],
  ['a reserved character', 'url: @x', '1:6  yaml-character'],
  ['two documents', 'strict: true\n---\nstrict: false', '2:1  yaml-documents'],
  ['a tag', 'strict: !!js/function "x"', '1:9  yaml-tag'],
  ['an alias without an anchor', 'only: *x', '1:7  yaml-alias'],
  ['an alias inside its anchor', 'only: &x [*x]', '1:11  yaml-alias'],
  ['an alias bomb', bomb, '1:1  yaml-alias'],
  ['an open list', 'only: [a, b', '1:12  yaml-bracket'],
  ['nesting beyond the stack', '['.repeat(100_000), '1:1  yaml-deep'],
  [
    'a mistake behind an alias',
    'only: &x [nope]\nskip: *x',
    '1:11 only[0] unknown-check',
    '1:11 skip[0] unknown-check',
  ],
  ['a byte order mark and CRLF', '\uFEFFstrict: true\r\nlanguage: x\r\n', '2:11 language one-of'],
  ['nothing but a comment', '# nothing\n', 'ok'],
  ['an empty file', '', 'ok'],
];

describe('docvitals.yaml with', () => {
  it.each(YAML.map(([name, text, ...expected]) => ({ name, text, expected })))('$name', async ({ text, expected }) => {
    const loaded = await load('yaml', text);
    expect(told(loaded)).toEqual(expected);
    for (const problem of loaded) {
      for (const language of LANGUAGES) {
        const line = renderProblem(problem, language);
        expect(line).toMatch(/^\d+\.yaml:\d+:\d+: [^\p{Cc}]+$/u);
        expect(line).not.toContain(SECRET);
      }
    }
  });
});
