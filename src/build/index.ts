/**
 * `npm run build`: makes `src/generated/` and `dist/` from the sources. Nothing that it writes is committed.
 *
 * First the words of the interface, which the sources import and the next steps with them; then what else they import
 * (texts, validators, types); then what is published.
 * Every step that can fail says why in one line a mistake; the exit status is 1 when any did.
 */
import { bundleAction, bundlePackage } from './bundle.ts';
import { BuildError, removeStale, together } from './output.ts';
import { packExamples, packModules } from './examples.ts';
import { declareLibrary } from './library.ts';
import { buildLocales } from './locales.ts';
import { buildTexts } from './texts.ts';

function report(failure: unknown): void {
  if (failure instanceof AggregateError) for (const inner of failure.errors) report(inner);
  else if (failure instanceof BuildError) console.error(`build: ${failure.message}`);
  else console.error('build:', failure);
}

const started = performance.now();
try {
  await buildLocales();
  const { buildSchemas } = await import('./schemas.ts');
  const prepared = await together([buildTexts(), buildSchemas(), packModules()]);
  const published = await together([bundlePackage(), bundleAction(), declareLibrary(), packExamples()]);
  // `npm run docs` writes dist/site, which may be served meanwhile.
  await removeStale('dist', [...prepared.flat(), ...published.flat(), 'dist/site']);
  console.log(`built dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (failure) {
  report(failure);
  process.exitCode = 1;
}
