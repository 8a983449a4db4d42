import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

// .ci/run names a file for the results as JSON, to count them.
const jsonFile = process.env['TEST_REPORT'];

/** Fuzzing, growth, and whatever takes minutes: `npm run test:long`. */
const LONG = '**/*.long.test.ts';

/** Journeys through the packed package: packed once before the first of them. */
const SHIPPED = 'test/shipped/*.test.ts';

/** Unit tests that no single module is the subject of. */
const UNIT = 'test/unit/**/*.test.ts';

/** Journeys have processes, servers and timers: on a shared machine one may be late. Those are printed. */
const retry = process.env['CI'] === 'true' ? 1 : 0;
const runAgain: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky === true) process.stderr.write(`passed when run again: ${test.fullName}\n`);
  },
};

export default defineConfig({
  test: {
    // Journeys wait for processes and timers half of their time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that is focused by mistake would hide all others.
    allowOnly: false,
    // It imports JSON in a way that Node does not know.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    ...(jsonFile ? { reporters: ['default', runAgain, ['json', { outputFile: jsonFile }]] } : {}),
    projects: [
      // Files share processes: starting one for each takes longer than most of them. A test puts back what it changes.
      {
        extends: true,
        test: { name: 'unit', include: ['{src,checks}/**/*.test.ts', UNIT], exclude: [LONG], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/**/*.test.ts'],
          exclude: [LONG, SHIPPED, UNIT],
          retry,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: [SHIPPED], retry, globalSetup: 'test/shipped/pack.ts' },
      },
      { extends: true, test: { name: 'long', include: [`{src,checks,test}/${LONG}`], retry } },
    ],
  },
});
