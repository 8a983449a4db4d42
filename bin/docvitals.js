#!/usr/bin/env node
// It must parse on every Node that knows ES modules: no newer syntax here, and imports only after the version check.

const start = async () => {
  // The version of a newer Node needs no closer check.
  if (parseInt(process.versions.node, 10) < 24) await import('./require-node.js');
  const isMonitor = process.argv[2] === 'monitor';
  const stays = isMonitor && process.argv.indexOf('--once') === -1;
  if (isMonitor) (await import('./monitor-process.js')).prepareMonitor(stays);
  // A monitor that stays loads its files once, and with V8 flags of its own, which a compile cache depends on.
  if (!stays) enableCompileCache();
  await (await import('../dist/cli.cjs')).main();
};

// By default Node's compile cache is in the folder for temporary files, where other users of the machine could put code
// that would run here: the user's own cache folder is safe. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE, which
// Node itself reads, override this.
const enableCompileCache = () => {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const folder = XDG_CACHE_HOME || (HOME ? HOME + '/.cache' : LOCALAPPDATA);
  if (folder) process.getBuiltinModule('node:module').enableCompileCache(folder + '/docvitals');
};

start().catch((error) => {
  console.error(`docvitals: cannot start: ${error.message}`);
  process.exit(3);
});
