/** What a command costs before it does anything. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './command.ts';
import { BIN, newHome } from './contenders/docvitals.ts';
import type { Contender } from './measure.ts';
import { COSTS, turns } from './opponents.ts';
import type { Bench, Row } from './row.ts';

/** `docvitals --version` against a Node that has nothing to do; `first`: where neither was ever run before. */
export function startRow({ first = false, ...row }: Pick<Row, 'id' | 'pairs'> & { first?: boolean }): Row {
  return {
    ...row,
    work: `start (\`docvitals --version\`)${first ? ', first run' : ''}`,
    against: 'empty `node x.mjs`',
    figures: COSTS,
    needs: [],
    measure(bench) {
      const empty = path.join(bench.folder, 'x.mjs');
      writeFileSync(empty, '');
      return turns(node([BIN, '--version'], first, bench), node([empty], first, bench), bench);
    },
  };
}

const node = (args: readonly string[], first: boolean, bench: Bench): Contender => ({
  name: args.join(' '),
  async sample() {
    const env = first ? newHome(bench.folder) : {};
    const { status, output, cost } = await run({ argv: [process.execPath, ...args], env }, bench);
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${output}`);
    return cost;
  },
});
