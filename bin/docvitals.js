#!/usr/bin/env node
// It must parse on any Node that knows ES modules: no newer syntax here, and imports only after the version was looked at.

const requireNode = async () => {
  // Of newer ones the number says enough.
  if (parseInt(process.versions.node, 10) < 24) await import('./require-node.js');
};

// What Node has compiled is kept for the next run: in the user's own cache, for what lies there is run. By Node's own
// variables, NODE_COMPILE_CACHE names another folder, and NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
const keepCompiled = () => {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const cache = XDG_CACHE_HOME || (HOME ? HOME + '/.cache' : LOCALAPPDATA);
  if (cache) process.getBuiltinModule('node:module').enableCompileCache(cache + '/docvitals');
};

const start = async () => {
  await requireNode();
  if (process.argv[2] === 'monitor') (await import('./monitor-process.js')).prepareMonitor();
  keepCompiled();
  const { main } = await import('../dist/cli.js');
  await main();
};

start().catch((error) => {
  console.error(`docvitals: cannot start: ${error.message}`);
  process.exit(3);
});
