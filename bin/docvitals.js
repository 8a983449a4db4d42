#!/usr/bin/env node
import v8 from 'node:v8';
import './require-node.js';

if (process.argv[2] === 'monitor') {
  // Name resolution takes a thread for each name, and a monitor asks for many. It has to be said before the first is used.
  process.env.UV_THREADPOOL_SIZE ??= '128';
  // A monitor runs for months beside other things: what it no longer needs is given back soon, not when it has piled up.
  v8.setFlagsFromString('--optimize-for-size');
}

// A dynamic import, because a static one would be loaded before the check above has run.
import('../dist/cli.js')
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
