import { describe, expect, it } from 'vitest';
import { withoutFacades } from './facades.ts';

const FILES = new Map([
  ['cli.js', `import{b as x}from"./chunk-A.js";import"./chunk-B.js";export{x as main};\n`],
  ['check.js', `import{c as x,d as y}from"./chunk-B.js";import"./chunk-A.js";export{x as check,y as told};\n`],
  ['list.js', `import{a}from"./chunk-A.js";var l=()=>a;export{l as list};\n`],
  ['chunk-A.js', `var m=()=>import("./check.js"),n=()=>import("./list.js");export{m as a,n as b};\n`],
  ['chunk-B.js', `import{a}from"./chunk-A.js";var p=1;export{a as c,p as d};\n`],
]);

describe('withoutFacades', () => {
  const files = withoutFacades(FILES, 'cli.js');

  it('leaves what has something of its own', () => {
    expect([...files.keys()].toSorted()).toEqual(['chunk-B.js', 'cli.js', 'list.js']);
  });

  it('puts what the entry hands on into its place, with its names', () => {
    expect(files.get('cli.js')).toMatch(/export\{n as main,m as a,n as b\};\n$/);
    expect(files.get('list.js')).toContain('from"./cli.js"');
    expect(files.get('chunk-B.js')).toContain('from"./cli.js"');
  });

  it('leads a dynamic import to what a facade handed on, by the names that it had', () => {
    expect(files.get('cli.js')).toContain('import("./chunk-B.js").then(m=>({check:m.c,told:m.d}))');
    expect(files.get('cli.js')).toContain('import("./list.js")');
  });

  it('changes nothing where there are none', () => {
    const whole = new Map([['index.js', `var a=1;export{a};\n`]]);
    expect(withoutFacades(whole, 'cli.js')).toEqual(whole);
  });
});
