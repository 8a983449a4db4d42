/**
 * The main file of the Action. The threads that read what a site sends are started from the same file, and nothing is loaded but what the
 * thread at hand needs.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { main } = await import('./run.ts');
  await main();
} else {
  await import('../parse/worker.ts');
}
