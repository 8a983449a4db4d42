/**
 * `npm run build`: makes `src/generated/` and `dist/` from the sources. Nothing that it writes is committed.
 *
 * First the words of the interface, which the sources import and the next steps with them; then what else they import
 * (texts, validators, types); then what is published.
 * Every step that can fail says why in one line a mistake; the exit status is 1 when any did.
 */
import { bundleAction, bundlePackage } from './bundle.ts';
import { BuildError, removeStale } from './output.ts';
import { packExamples, packInPage, packStyles, packTemplates } from './examples.ts';
import { declareLibrary } from './library.ts';
import { buildLocales } from './locales.ts';
import { buildTexts } from './texts.ts';

/** Runs steps side by side and returns the `dist` files that they wrote; all failures are collected before it throws. */
async function together(steps: readonly Promise<readonly string[] | void>[]): Promise<string[]> {
  const results = await Promise.allSettled(steps);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'some steps failed');
  return results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
}

function report(failure: unknown): void {
  if (failure instanceof AggregateError) for (const inner of failure.errors) report(inner);
  else if (failure instanceof BuildError) console.error(`build: ${failure.message}`);
  else console.error('build:', failure);
}

const started = performance.now();
try {
  await buildLocales();
  const { buildSchemas } = await import('./schemas.ts');
  const prepared = await together([buildTexts(), buildSchemas(), packStyles(), packInPage(), packTemplates()]);
  const published = await together([bundlePackage(), bundleAction(), declareLibrary(), packExamples()]);
  // `npm run docs` writes dist/site, which may be served meanwhile.
  await removeStale('dist', [...prepared, ...published, 'dist/site']);
  console.log(`built dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (failure) {
  report(failure);
  process.exitCode = 1;
}
