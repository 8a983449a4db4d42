import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withoutBuiltinImports } from './builtins.ts';

const FS = "globalThis.process.getBuiltinModule('node:fs')";
const ZLIB = "globalThis.process.getBuiltinModule('node:zlib')";

describe('withoutBuiltinImports', () => {
  it.each([
    ['a name', "import { statSync } from 'node:fs';", `const statSync = ${FS}.statSync;`],
    [
      'several, one renamed, without those of types',
      "import { statSync as stat, type Stats, openSync } from 'node:fs';",
      `const stat = ${FS}.statSync, openSync = ${FS}.openSync;`,
    ],
    ['the whole', "import fs from 'node:fs';", `const fs = ${FS};`],
    ['the whole as a namespace', "import * as fs from 'node:fs';", `const fs = ${FS};`],
    ['the whole and a name', 'import fs, { statSync } from "node:fs"', `const fs = ${FS}, statSync = ${FS}.statSync;`],
    ['names on lines of their own', "import {\n  statSync,\n} from 'node:fs';", `const statSync = ${FS}.statSync;\n\n`],
    [
      'what is slow, when it is called',
      "import { gunzip } from 'node:zlib';",
      `const gunzip = (...given) => ${ZLIB}.gunzip(...given);`,
    ],
    ['a constant of what is slow', "import { constants } from 'node:zlib';", `const constants = ${ZLIB}.constants;`],
  ])('%s', (_name, source, taken) => {
    expect(withoutBuiltinImports(source)).toBe(taken);
  });

  it('hands out all of what is slow when something of it is read', () => {
    const source = withoutBuiltinImports("import zlib from 'node:zlib';");
    const zlib = runInThisContext(`(() => { ${source} return zlib; })()`) as typeof import('node:zlib');
    expect(zlib.gunzipSync(zlib.gzipSync('text')).toString()).toBe('text');
  });

  it('makes what a class of a slow module makes', () => {
    const source = withoutBuiltinImports("import { MessageChannel, Worker } from 'node:worker_threads';");
    const [channel, made, Worker] = runInThisContext(
      `(() => { ${source} return [new MessageChannel(), new Worker('', { eval: true }), Worker]; })()`,
    ) as [InstanceType<typeof MessageChannel>, object, never];
    channel.port1.close();
    expect(made).toBeInstanceOf(Worker);
  });

  it.each([
    ['types', "import type { Stats } from 'node:fs';"],
    ['another module', "import { a } from './node:fs.ts';"],
    ['a text', "const text = `import fs from 'node:fs';`;"],
    ['a dynamic import', "await import('node:fs');"],
  ])('leaves %s alone', (_name, source) => {
    expect(withoutBuiltinImports(source)).toBe(source);
  });
});
