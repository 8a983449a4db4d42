/**
 * `npm run test:sample -- <report.json>`: two files of the long tests, in at most 90 s. The number of commits chooses
 * them, so that the same commit runs the same files again, and later commits run the others.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest } from 'vitest/node';

const FILES = 2;
/** After this time, tests that still run or have not started are skipped. This is not a failure: the machine may be slow. */
const STOP_MS = 80_000;
/** After this time, a test that does not end when it is skipped is killed. */
const END_MS = 88_000;

const root = path.join(import.meta.dirname, '..');
const [reportFile] = process.argv.slice(2);

// Programs that only long tests need are not installed for a sample: where CI is `true`, these would fail instead of
// being skipped with a warning.
delete process.env['CI'];
const vitest = await createVitest({ root, project: ['long'], watch: false, retry: 1 });
await vitest.standalone();
const all = (await vitest.globTestSpecifications()).toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
const commits = Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }));
const parts = Math.ceil(all.length / FILES);
const chosen = all.filter((_, index) => index % parts === commits % parts);

/** As much of vitest's own JSON report as `.ci/run` reads; it is also written when tests are stopped. */
function writeReport(): boolean {
  const modules = vitest.state.getTestModules().map((module) => {
    const tests = [...module.children.allTests()];
    return {
      name: path.relative(root, module.moduleId),
      status: module.state() === 'failed' ? 'failed' : 'passed',
      assertionResults: tests.map((test) => ({ fullName: test.fullName, status: test.result().state })),
    };
  });
  const states = modules.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (state: string): number => states.filter((each) => each === state).length;
  const report = { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults: modules };
  if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(report));
  return modules.every(({ status }) => status === 'passed');
}

setTimeout(() => {
  console.log(`${STOP_MS / 1000} s are over: the rest of these files is skipped; \`npm run test:long\` runs all tests`);
  void vitest.cancelCurrentRun('keyboard-input');
}, STOP_MS - performance.now()).unref();
setTimeout(() => {
  console.log(`${END_MS / 1000} s are over: the tests that still run are killed`);
  process.exit(writeReport() ? 0 : 1);
}, END_MS - performance.now()).unref();

for (const { moduleId } of chosen) console.log(`long tests: ${path.relative(root, moduleId)}`);
const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
const passed = writeReport();
await vitest.close();
process.exit(passed && unhandledErrors.length === 0 ? 0 : 1);
