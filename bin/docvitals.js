#!/usr/bin/env node
import './require-node.js';

async function prepare(command) {
  if (command === 'monitor') {
    const { prepareMonitor } = await import('./monitor-process.js');
    prepareMonitor();
  }
  // What parses responses is one large function of WebAssembly. To compile it for speed takes longer, and twenty megabytes
  // more, than that would save in thousands of requests; V8 would do it after the first few.
  if (command === 'check') process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=1000000000');
}

// Dynamic imports, because static ones would be loaded before the check above has run.
prepare(process.argv[2])
  .then(() => import('../dist/cli.js'))
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
