// Loads the built files, and keeps what V8 has compiled of them for the next run. Node's own compile cache holds what is
// compiled as a file is loaded; but a function is compiled when it is first called, which every run would do anew. What
// is kept here was compiled by the end of a run.

const fs = process.getBuiltinModule('node:fs');
const vm = process.getBuiltinModule('node:vm');

/** Of what is shorter nothing is kept: it is compiled as soon as it could be read. In characters. */
const SHORT = 8_192;

/**
 * Loads one of the scripts that the build makes of the command line's modules, with all that it requires.
 *
 * @param {string} folder URL of the scripts, ends with a slash
 * @param {string} entry name of the script
 * @param {string | null} cache folder of what was compiled before, ends with a slash; `null`: nothing is kept
 * @returns what it exports
 */
export function load(folder, entry, cache) {
  const modules = new Map();
  const kept = [];
  let isNew = false;

  const require = (name) => {
    if (!name.startsWith('./')) return process.getBuiltinModule(name);
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = folder + name.slice(2);
    // The build writes nothing but ASCII.
    compiled(filename, fs.readFileSync(new URL(filename), 'latin1'))(module.exports, require, module, filename);
    return module.exports;
  };

  const compiled = (filename, source) => {
    const file = cache === null || source.length < SHORT ? null : cache + hashOf(source);
    const script = new vm.Script(source, {
      filename,
      cachedData: file === null ? undefined : readKept(file),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (file !== null) {
      kept.push({ file, script });
      // Where one is new, more than before may have been called of the others, too.
      isNew ||= script.cachedDataRejected !== false;
    }
    return script.runInThisContext();
  };

  if (cache !== null) process.on('exit', () => isNew && keep(cache, kept));
  return require(`./${entry}`);
}

/** The build writes it first: a comment of 16 hexadecimal digits. */
const hashOf = (source) => source.slice(2, 18);

/**
 * What was kept, or `undefined`. V8 looks whether it is for the same source and the same V8, but not whether all of it
 * is there, which it may not be after a power cut. It stands there twice.
 */
function readKept(file) {
  try {
    const twice = fs.readFileSync(file);
    const once = twice.subarray(0, twice.length / 2);
    return once.equals(twice.subarray(once.length)) ? once : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all. Where it cannot be written, the next run takes as long as this one. */
function keep(cache, kept) {
  try {
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
    for (const { file, script } of kept) {
      const once = script.createCachedData();
      const part = `${file}.${process.pid}.part`;
      fs.writeFileSync(part, Buffer.concat([once, once]));
      fs.renameSync(part, file);
    }
  } catch {}
}
