#!/usr/bin/env node
// It must parse on any Node that knows ES modules: no newer syntax here, and imports only after the version was looked at.

const requireNode = async () => {
  // Of newer ones the number says enough.
  if (parseInt(process.versions.node, 10) < 24) await import('./require-node.js');
};

const start = async () => {
  await requireNode();
  const isMonitor = process.argv[2] === 'monitor';
  const stays = isMonitor && !process.argv.includes('--once');
  if (isMonitor) (await import('./monitor-process.js')).prepareMonitor(stays);
  // V8 compiles for its flags: the monitor has others, and those of one that stays change.
  const cache = stays ? null : cacheFolder(isMonitor ? '-monitor' : '');
  await load(new URL('../dist/', import.meta.url).href, './cli.cjs', cache).main();
};

// What was compiled is kept in the user's own cache, for what lies there is run. Node's variables for its own cache hold
// for ours: NODE_COMPILE_CACHE names another folder, and NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
const cacheFolder = (flags) => {
  const { HOME, LOCALAPPDATA, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  const users = NODE_COMPILE_CACHE || XDG_CACHE_HOME || (HOME ? HOME + '/.cache' : LOCALAPPDATA);
  if (!users || NODE_DISABLE_COMPILE_CACHE === '1') return null;
  return users + '/docvitals/' + process.version + '-' + process.arch + flags + '/';
};

/**
 * Loads one of the modules that the build has made scripts of, with all that it requires, and keeps what V8 has compiled
 * of them for the next run. Node's own compile cache holds what is compiled as a file is loaded; but a function is
 * compiled when it is first called, which every run would do anew. What is kept here was compiled by the end of a run.
 *
 * `folder` is the URL of the scripts, `cache` the path of what was compiled before; both end with a slash. Where the
 * latter is null, nothing is kept. Returns what the module exports.
 */
const load = (folder, entry, cache) => {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { Script } = process.getBuiltinModule('node:vm');
  const functions = new Map();
  const modules = new Map();
  const kept = [];
  let isNew = false;

  const require = (name) => {
    if (!name.startsWith('./')) return process.getBuiltinModule(name);
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    if (!functions.has(name)) runScript(name);
    const module = { exports: {} };
    modules.set(name, module);
    functions.get(name)(module.exports, require, module, folder + name.slice(2), (url) => import(url));
    return module.exports;
  };

  const runScript = (name) => {
    const filename = folder + name.slice(2);
    // The build writes nothing but ASCII, and first a comment of 16 hexadecimal digits: the hash of the rest.
    const source = readFileSync(new URL(filename), 'latin1');
    const file = cache === null ? null : cache + source.slice(2, 18);
    const script = new Script(source, { filename, cachedData: file === null ? undefined : readKept(file) });
    kept.push({ file, script });
    // Where one is new, more than before may have been called of the others, too.
    if (script.cachedDataRejected !== false) isNew = true;
    for (const [path, run] of Object.entries(script.runInThisContext())) functions.set(path, run);
  };

  if (cache !== null) process.on('exit', () => isNew && keep(cache, kept));
  return require(entry);
};

// V8 looks whether it is for the same source and the same V8, but not whether all of it is there, which it may not be
// after a power cut. So it stands there twice.
const readKept = (file) => {
  try {
    const twice = process.getBuiltinModule('node:fs').readFileSync(file);
    const once = twice.subarray(0, twice.length / 2);
    return once.equals(twice.subarray(once.length)) ? once : undefined;
  } catch {
    return undefined;
  }
};

// Whole or not at all. Where it cannot be written, the next run takes as long as this one.
const keep = (cache, kept) => {
  const { mkdirSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs');
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    for (const { file, script } of kept) {
      const once = script.createCachedData();
      const part = file + '.' + process.pid + '.part';
      writeFileSync(part, Buffer.concat([once, once]));
      renameSync(part, file);
    }
  } catch {}
};

start().catch((error) => {
  console.error(`docvitals: cannot start: ${error.message}`);
  process.exit(3);
});
