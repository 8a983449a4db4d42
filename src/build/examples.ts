/** Packs the examples for a monitor's operation into `dist/examples`, so that they are not in the bundle. */
import { EXAMPLES } from '../monitor/examples/examples.ts';
import { BuildError, readSource, writeOutput } from './output.ts';

/** Returns the files it wrote, as paths from the root. @throws BuildError for a file that is declared and not there. */
export async function packExamples(): Promise<string[]> {
  return Promise.all(
    Object.values(EXAMPLES)
      .flat()
      .map(async (file) => {
        const text = await readSource(`src/monitor/examples/${file}`).catch(() => {
          throw new BuildError(`examples: src/monitor/examples/${file} is declared, but is not there`);
        });
        return writeOutput(`dist/examples/${file}`, text);
      }),
  );
}
