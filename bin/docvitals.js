#!/usr/bin/env node
import './require-node.js';

// Name resolution takes a thread for each name, and a monitor asks for many. It has to be said before the first is used.
if (process.argv[2] === 'monitor') process.env.UV_THREADPOOL_SIZE ??= '128';

// A dynamic import, because a static one would be loaded before the check above has run.
import('../dist/cli.js')
  .then(({ main }) => main())
  .catch((error) => {
    console.error(`docvitals: cannot start: ${error.message}`);
    process.exit(3);
  });
