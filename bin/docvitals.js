#!/usr/bin/env node
import './require-node.js';

async function prepare(command) {
  if (command === 'monitor') {
    const { prepareMonitor } = await import('./monitor-process.js');
    prepareMonitor();
  }
}

// Dynamic imports, because static ones would be loaded before the check above has run.
prepare(process.argv[2])
  .then(() => import('../dist/cli.js'))
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
