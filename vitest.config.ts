import { defineConfig } from 'vitest/config';

// .ci/run names a file that it wants the results in as JSON, to count them.
const jsonFile = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'checks/**/*.test.ts', 'test/**/*.test.ts'],
    // Tests wait more than they compute: one worker for each core, where vitest would leave one out.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that is focused by mistake would hide all others.
    allowOnly: false,
    // It imports JSON in a way that Node does not know.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    ...(jsonFile ? { reporters: ['default', ['json', { outputFile: jsonFile }]] } : {}),
  },
});
