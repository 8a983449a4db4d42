/**
 * Stands in for what undici loads with its client and no request of ours comes to: we offer HTTP/1.1 only, send no
 * bodies, and say ourselves how long headers may be. It would take longer to load than a site takes to answer. (Its
 * experimental parser is left out by undici itself where it is bundled.)
 */
import type { Plugin } from 'esbuild';

const IN_UNDICI = /[\\/]undici[\\/]lib[\\/]/;
const HTTP2_AND_BODIES = /[\\/]undici[\\/]lib[\\/](?:dispatcher[\\/]client-h2|web[\\/](?:fetch|webidl)[\\/].*)\.js$/;

/** Modules of Node's, by name, as undici is to see them. */
const MODULES: Readonly<Record<string, string>> = {
  'node:http': 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} };',
  // It is loaded to say what is wrong, and not before.
  'node:assert': `
    const assert = () => globalThis.process.getBuiltinModule('node:assert');
    module.exports = (value, message) => value || assert()(value, message);
    module.exports.strictEqual = (...given) => given[0] === given[1] || assert().strictEqual(...given);
    for (const name of ['equal', 'notEqual', 'notStrictEqual', 'deepStrictEqual', 'ok', 'fail'])
      module.exports[name] = (...given) => assert()[name](...given);
  `,
};

export const undiciStandIns: Plugin = {
  name: 'undici-stand-ins',
  setup(build) {
    build.onLoad({ filter: HTTP2_AND_BODIES }, () => ({ contents: 'module.exports = {};' }));
    build.onResolve({ filter: /^node:(?:assert|http)$/ }, ({ path, importer }) =>
      IN_UNDICI.test(importer) ? { path, namespace: 'undici-stand-in' } : null,
    );
    build.onLoad({ filter: /.*/, namespace: 'undici-stand-in' }, ({ path }) => ({ contents: MODULES[path] ?? '' }));
  },
};
