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

  const list = '["assets/a-1.js","assets/a-2.css"]';
  const build = 'function __vite__mapDeps(indexes) {\n  if (!__vite__mapDeps.viteFileDeps) {\n';
  const rest = '\n  }\n  return indexes.map((i) => __vite__mapDeps.viteFileDeps[i])\n}\n';
  const oldest = `${build}    __vite__mapDeps.viteFileDeps = ${list}${rest}`;

  it.each([
    {
      name: 'of Vite today',
      text: `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${list})))=>i.map(i=>d[i]);\nimport{a}from"./x.js"`,
    },
    {
      name: 'of Vite 5.2',
      text: `const __vite__fileDeps=${list},__vite__mapDeps=i=>i.map(i=>__vite__fileDeps[i]);\nimport{a}from"./x.js"`,
    },
    { name: 'of Vite 5.1', text: `${oldest}import{a}from"./x.js"` },
    { name: 'of Vite 5.0, at the end', text: `import{a}from"./x.js";a(__vite__mapDeps([0,1]));\n${oldest}` },
    {
      name: 'at the end, before the address of a source map',
      text: `import{a}from"./x.js";\n${oldest}\n//# sourceMappingURL=x.js.map`,
    },
    {
      name: 'after a comment',
      text: `/* (c) */\nconst __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${list})))=>i.map(i=>d[i]);import"./x.js"`,
    },
    {
      name: 'with spaces and other names',
      text: `const __vite__mapDeps = (e, t = __vite__mapDeps, n = t.f || (t.f = ${list.replace(',', ', ').replaceAll('"', "'")})) => e.map((e) => n[e]);\nimport "./x.js"`,
    },
  ])('mapped: $name', ({ text }) => {
    expect(moduleImports(text)).toEqual({ first: ['./x.js'], later: [], mapped: ['assets/a-1.js', 'assets/a-2.css'] });
  });

  it.each([
    { name: 'an empty list', text: 'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[])))=>i.map(i=>d[i]);' },
    {
      name: 'addresses that are made on the way',
      text: 'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[at("a.js")])))=>i.map(i=>d[i]);',
    },
    {
      name: 'a sample in a text',
      text: `start();const a=\`\nconst __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${list})))=>i.map(i=>d[i]);\``,
    },
    { name: 'another sample in a text', text: `start();const a=\`\n${oldest}\`` },
  ])('mapped: none from $name', ({ text }) => {
    expect(moduleImports(text).mapped).toEqual([]);
  });

  it.each([
    { name: 'imports', text: 'import"./x.js";'.repeat(200_000) },
    { name: 'a list without end', text: `const __vite__mapDeps=[${'"a",'.repeat(1_000_000)}` },
    { name: 'lists', text: `function __vite__mapDeps(i){${'["a"]'.repeat(1_000_000)}` },
    { name: 'names of lists', text: 'function __vite__mapDeps('.repeat(200_000) },
    { name: 'open imports', text: 'import '.repeat(500_000) },
    { name: 'words', text: `import ${'from '.repeat(500_000)}` },
    { name: 'white space', text: ' '.repeat(5_000_000) },
    { name: 'comments', text: '/**/'.repeat(500_000) },
    { name: 'open calls', text: 'import('.repeat(500_000) },
  ])('bounded: $name', ({ text }) => {
    expect(moduleImports(text).first.length).toBeLessThanOrEqual(1);
  });
});
