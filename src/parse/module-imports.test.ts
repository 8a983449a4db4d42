import { describe, expect, it } from 'vitest';
import { moduleImports } from './module-imports.ts';

describe('moduleImports', () => {
  it.each([
    {
      name: 'a minified head',
      text: 'import{a as b,c}from"./x.js";import"./y.js";import*as d from"./z.js";b()',
      is: ['./x.js', './y.js', './z.js'],
    },
    {
      name: 'a plain head',
      text: `// App\nimport a, { b } from './x.js';\nimport './y.js';\n\nstart();\n`,
      is: ['./x.js', './y.js'],
    },
    { name: 'lines', text: 'import {\n  a,\n  b,\n} from "./x.js";', is: ['./x.js'] },
    { name: 'a comment and strict mode first', text: '/* (c) */ "use strict";\nimport "./x.js"', is: ['./x.js'] },
    { name: 'an export', text: 'export*from"./x.js";export{a}from"./y.js"', is: ['./x.js', './y.js'] },
    { name: 'a bare name', text: 'import a from "lib"', is: [] },
    { name: 'the same twice', text: 'import"./x.js";import"./x.js"', is: ['./x.js'] },
    { name: 'after another statement', text: 'start();import "./x.js"', is: [] },
    { name: 'a dynamic one', text: 'import("./x.js")', is: [] },
    { name: 'import.meta', text: 'import.meta.url', is: [] },
    { name: 'in a string', text: 'const a = `\nimport x from "./x.js"\n`', is: [] },
    { name: 'in a comment', text: '// import "./x.js"\n/* import "./y.js" */', is: [] },
    { name: 'an open comment', text: '/* import "./y.js"', is: [] },
    { name: 'nothing', text: '', is: [] },
  ])('first: $name: $is', ({ text, is }) => {
    expect(moduleImports(text).first).toEqual(is);
  });

  it.each([
    { name: 'a hashed chunk', text: 'a(()=>import("./page-BX3kd9Qa.js"))', is: ['./page-BX3kd9Qa.js'] },
    { name: 'in backticks', text: 'import(`../chunk.4f2a91c0.js`)', is: ['../chunk.4f2a91c0.js'] },
    { name: 'twice', text: `import('./a-12345678.js');import("./a-12345678.js")`, is: ['./a-12345678.js'] },
    { name: 'a name without a hash', text: 'import("./page.js")', is: [] },
    { name: 'a name of words', text: 'import("./my-component.js")', is: [] },
    { name: 'a bare name', text: 'import("lib-12345678.js")', is: [] },
    { name: 'an expression', text: 'import("./a-" + hash + ".js")', is: [] },
  ])('later: $name: $is', ({ text, is }) => {
    expect(moduleImports(text).later).toEqual(is);
  });

  it.each([
    { name: 'imports', text: 'import"./x.js";'.repeat(200_000) },
    { name: 'open imports', text: 'import '.repeat(500_000) },
    { name: 'words', text: `import ${'from '.repeat(500_000)}` },
    { name: 'white space', text: ' '.repeat(5_000_000) },
    { name: 'comments', text: '/**/'.repeat(500_000) },
    { name: 'open calls', text: 'import('.repeat(500_000) },
  ])('bounded: $name', ({ text }) => {
    expect(moduleImports(text).first.length).toBeLessThanOrEqual(1);
  });
});
