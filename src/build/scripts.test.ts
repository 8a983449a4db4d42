import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { asScripts } from './scripts.ts';

type Script = (exports: object, require: (name: string) => unknown, module: { exports: object }, url: string) => void;

/** What a script exports, called as `bin/load.js` calls it. */
async function exportsOf(text: string, required: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const scripts = await asScripts(new Map([...Object.keys(required), 'a.js'].map((name) => [name, text])));
  const module = { exports: {} };
  const script = runInThisContext(scripts.get('a.cjs') ?? '') as Script;
  script(module.exports, (name) => required[name.replace(/^\.\/(.*)\.cjs$/, '$1.js')], module, 'file:///dist/a.cjs');
  return module.exports;
}

describe('asScripts', () => {
  it('exports what the module exported', async () => {
    expect(await exportsOf('const a=1;export{a as one};')).toMatchObject({ one: 1 });
  });

  it('requires what was imported, at the start or late, by its new name', async () => {
    const text = 'import{two}from"./b.js";const three=()=>import("./c.js").then(m=>m.default);export{two,three};';
    const exported = (await exportsOf(text, { 'b.js': { two: 2 }, 'c.js': { default: 3 } })) as {
      two: number;
      three: () => Promise<number>;
    };
    expect([exported.two, await exported.three()]).toEqual([2, 3]);
  });

  it('leaves imports of whatever else as they are', async () => {
    const scripts = await asScripts(new Map([['a.js', 'export const own=(file)=>import(file);']]));
    expect(scripts.get('a.cjs')).toMatch(/import\(\w\)/);
  });

  it('has the strictness of modules, and the address of its file', async () => {
    const text = 'export const told=[function(){return this}(),import.meta.url];';
    expect(await exportsOf(text)).toMatchObject({ told: [undefined, 'file:///dist/a.cjs'] });
  });

  it('is ASCII, and begins with a hash of its content', async () => {
    const [one, same, other] = await Promise.all(
      ['export const a="é";', 'export const a="é";', 'export const a="è";'].map(async (text) =>
        (await asScripts(new Map([['a.js', text]]))).get('a.cjs'),
      ),
    );
    expect(one).toMatch(/^\/\*[0-9a-f]{16}\*\/\(function[\x20-\x7e\n]+$/);
    expect(one).toContain(String.raw`\xE9`);
    expect(same).toBe(one);
    expect(other?.slice(0, 20)).not.toBe(one?.slice(0, 20));
  });
});
