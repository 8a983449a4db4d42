import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { asScripts } from './scripts.ts';

type Run = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  url: string,
  bring: (url: string) => unknown,
) => void;

/** What `a.js` exports as a script, loaded as `bin/docvitals.js` does. */
async function exportsOf(text: string, required: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const scripts = await asScripts(new Map([...Object.keys(required), 'a.js'].map((name) => [name, text])));
  const module = { exports: {} };
  const functions = runInThisContext(scripts.get('a.cjs') ?? '') as Readonly<Record<string, Run>>;
  const require = (name: string): unknown => required[name.replace(/^\.\/(.*)\.cjs$/, '$1.js')];
  functions['./a.cjs']?.(module.exports, require, module, 'file:///dist/a.cjs', (url) => `brought from ${url}`);
  return module.exports;
}

describe('asScripts', () => {
  it('exports what the module exported', async () => {
    expect(await exportsOf('const a=1;export{a as one};\n')).toMatchObject({ one: 1 });
  });

  it('requires what was imported, at the start or late, by its new name', async () => {
    const text = 'import{two}from"./b.js";const three=()=>import("./c.js").then(m=>m.default);export{two,three};\n';
    const exported = (await exportsOf(text, { 'b.js': { two: 2 }, 'c.js': { default: 3 } })) as {
      two: number;
      three: () => Promise<number>;
    };
    expect([exported.two, await exported.three()]).toEqual([2, 3]);
  });

  it('exports what is set later, too', async () => {
    const exported = await exportsOf('let a=1;const set=()=>{a=2};export{a as one,set};\n');
    (exported as { set: () => void }).set();
    expect(exported).toMatchObject({ one: 2 });
  });

  it('has with it what it imports, if that is short', async () => {
    const long = `const a="${'a'.repeat(3_000)}";export{a};\n`;
    const text = 'import{a}from"./long.js";import{b}from"./short.js";export{a,b};\n';
    const scripts = await asScripts(
      new Map(Object.entries({ 'a.js': text, 'long.js': long, 'short.js': 'const b=1;export{b};\n' })),
    );
    expect(Object.keys(runInThisContext(scripts.get('a.cjs') ?? '') as object)).toEqual(['./a.cjs', './short.cjs']);
  });

  it('has whatever else is imported brought', async () => {
    const exported = (await exportsOf('const own=(file)=>import(file);export{own};\n')) as {
      own: (url: string) => unknown;
    };
    expect(exported.own('file:///a.ts')).toBe('brought from file:///a.ts');
  });

  it('imports nothing that is neither in the bundle nor brought', async () => {
    await expect(asScripts(new Map([['a.js', 'const a=import("b");export{a};\n']]))).rejects.toThrow(
      'a.js imports what',
    );
  });

  it('has the strictness of modules, and the address of its file', async () => {
    const text = 'const told=[function(){return this}(),import.meta.url];export{told};\n';
    expect(await exportsOf(text)).toMatchObject({ told: [undefined, 'file:///dist/a.cjs'] });
  });

  it('is ASCII, and begins with a hash of its content', async () => {
    const [one, same, other] = await Promise.all(
      ['const a="é";export{a};\n', 'const a="é";export{a};\n', 'const a="è";export{a};\n'].map(async (text) =>
        (await asScripts(new Map([['a.js', text]]))).get('a.cjs'),
      ),
    );
    expect(one).toMatch(/^\/\*[0-9a-f]{16}\*\/\(\{[\x20-\x7e\n]+$/);
    expect(one).toContain(String.raw`\xE9`);
    expect(same).toBe(one);
    expect(other?.slice(0, 20)).not.toBe(one?.slice(0, 20));
  });
});
