#!/usr/bin/env node
// It must parse on any Node that knows ES modules: no newer syntax here, and imports only after the version was looked at.

const requireNode = async () => {
  // Of newer ones the number says enough.
  if (parseInt(process.versions.node, 10) < 24) await import('./require-node.js');
};

// What was compiled is kept in the user's own cache, for what lies there is run. Node's variables for its own cache hold
// for ours: NODE_COMPILE_CACHE names another folder, and NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
const cacheFolder = (flags) => {
  const { HOME, LOCALAPPDATA, NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  const user = NODE_COMPILE_CACHE || XDG_CACHE_HOME || (HOME ? HOME + '/.cache' : LOCALAPPDATA);
  if (!user || NODE_DISABLE_COMPILE_CACHE === '1') return null;
  return user + '/docvitals/' + process.version + '-' + process.arch + flags + '/';
};

const start = async () => {
  await requireNode();
  const isMonitor = process.argv[2] === 'monitor';
  if (isMonitor) (await import('./monitor-process.js')).prepareMonitor();
  const { load } = await import('./load.js');
  // V8 compiles for its flags, of which the monitor has others.
  const { main } = load(new URL('../dist/', import.meta.url).href, 'cli.cjs', cacheFolder(isMonitor ? '-monitor' : ''));
  await main();
};

start().catch((error) => {
  console.error(`docvitals: cannot start: ${error.message}`);
  process.exit(3);
});
