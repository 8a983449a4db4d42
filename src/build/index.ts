/**
 * `npm run build`: makes `src/generated/` and `dist/` from the sources. Nothing that it writes is committed.
 * First the words, which the sources import and the next steps with them; then what else they import; then what is
 * published. A step that fails reports each mistake in one line; the exit status is 1.
 */
import { bundleAction, bundlePackage } from './bundle.ts';
import { BuildError, emptyDist, together } from './output.ts';
import { packModules } from './examples.ts';
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
  await emptyDist();
  await together<unknown>([buildTexts(), buildSchemas(), packModules()]);
  await together<unknown>([bundlePackage(), bundleAction(), declareLibrary()]);
  console.log(`built dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (failure) {
  report(failure);
  process.exitCode = 1;
}
