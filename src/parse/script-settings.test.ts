import { describe, expect, it } from 'vitest';
import { readScriptSettings } from './script-settings.ts';

const read = (script: string) => readScriptSettings(`<div id="app"></div><script>${script}</script>`);

const members = (count: number): string => 'a:1,'.repeat(count);
/** Text that doubles with each variable. */
const doubled = (times: number): string =>
  Array.from({ length: times }, (_, index) => `var a${index + 1}=a${index}+a${index};`).join('');

describe('settings in a script', () => {
  it('are its values, with spreads, variables and joined texts', () => {
    const { values, isFound, isComplete } = read(
      `var names = { '/a': '/b' }; window.$docsify = { alias: { ...names, '/c': '/' + 'd' }, plugins: [() => {}] }`,
    );
    expect(values.get('alias')).toEqual(
      new Map([
        ['/a', '/b'],
        ['/c', '/d'],
      ]),
    );
    expect([values.get('plugins'), isFound, isComplete]).toEqual([undefined, true, true]);
  });

  it.each([
    ['a member without a comma', '{ name: "x" loadSidebar: true }', /^loadSidebar/],
    ['a bracket that nothing closes', '{ alias: [ }', /^\}/],
  ])('are not read where the syntax is wrong: %s', (_, settings, where) => {
    const page = `<script>window.$docsify = ${settings}</script>`;
    const { problem, isCut } = readScriptSettings(page);
    expect(page.slice(problem?.offset)).toMatch(where);
    expect(isCut).toBeUndefined();
  });

  it.each<readonly [name: string, script: string]>([
    [
      'a variable that is spread again and again',
      `var v={${members(100_000)}};$docsify={x:{${'...v,'.repeat(10_000)}}}`,
    ],
    ['the same at the top', `var v={${members(50_000)}};$docsify={${'...v,'.repeat(50_000)}}`],
    ['the same as arguments', `var v={${members(50_000)}};$docsify=Object.assign({},${'v,'.repeat(50_000)})`],
    ['text that doubles', `var a0='${'x'.repeat(1000)}';${doubled(20)}$docsify={name:a20}`],
    ['text that is repeated', `var a='${'x'.repeat(100_000)}';$docsify={x:[${'a,'.repeat(50_000)}]}`],
    ['variables that hold each other', `var a=[b,b],b=[a,a];$docsify={a}`],
    ['a variable that holds itself', 'var a={...a};$docsify={x:a}'],
    ['lists that nest', `$docsify={a:${'['.repeat(500)}${']'.repeat(500)}}`],
    ['lists that nest deeper than the stack', `$docsify={a:${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['negations', `$docsify={a:${'!'.repeat(100_000)}1}`],
    ['a long sum', `$docsify={a:${"'a'+".repeat(50_000)}'a'}`],
    ['blocks', `$docsify={};${'{'.repeat(50_000)}${'}'.repeat(50_000)}`],
    ['labels', `$docsify={};${'a:'.repeat(1)}${Array.from({ length: 10_000 }, (__, index) => `a${index}:`).join('')}1`],
    ['a long text', `$docsify={};"${'x'.repeat(600_000)}"`],
  ])('are not known where they hold too much: %s', (_, script) => {
    const before = process.cpuUsage();
    expect(read(script)).toMatchObject({ isCut: true, isFound: true, isComplete: false });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3_000);
  });

  it('are not known where several scripts hold too much together', () => {
    const script = `<script>window.$docsify = {}; "${'x'.repeat(300_000)}"</script>`;
    expect(readScriptSettings(script).isCut).toBeUndefined();
    expect(readScriptSettings(script.repeat(2)).isCut).toBe(true);
  });
});
