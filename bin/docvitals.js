#!/usr/bin/env node
import './require-node.js';

// Dynamic imports, because static ones would be loaded before the check above has run.
const prepared =
  process.argv[2] === 'monitor'
    ? import('./monitor-process.js').then(({ prepareMonitor }) => prepareMonitor())
    : Promise.resolve();

prepared
  .then(() => import('../dist/cli.js'))
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
