#!/usr/bin/env node
import './require-node.js';

// A dynamic import, because a static one would be loaded before the check above has run.
import('../dist/cli.js')
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
