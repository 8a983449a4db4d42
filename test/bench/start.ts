/** What a command costs before it does anything. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './command.ts';
import { BIN } from './contenders/docvitals.ts';
import type { Contender } from './measure.ts';
import { COSTS, turns } from './opponents.ts';
import type { Bench, Row, Target } from './row.ts';

/** `docvitals --version` against a Node that has nothing to do. */
export const startRow = (pairs: number, targets: readonly Target[]): Row => ({
  id: 'start/node',
  work: 'start (`docvitals --version`)',
  against: 'empty `node x.mjs`',
  figures: COSTS,
  targets,
  needs: [],
  pairs,
  measure(bench) {
    const empty = path.join(bench.folder, 'x.mjs');
    writeFileSync(empty, '');
    return turns(node('docvitals --version', [BIN, '--version'], bench), node('node x.mjs', [empty], bench), bench);
  },
});

const node = (name: string, args: readonly string[], bench: Bench): Contender => ({
  name,
  async sample() {
    const { status, output, cost } = await run({ argv: [process.execPath, ...args] }, bench);
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${output}`);
    return cost;
  },
});
