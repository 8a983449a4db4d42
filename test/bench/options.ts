/** What `npm run bench` may be requested. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PEERS } from './peers/peers.ts';

export interface Options {
  /** CI's form: few pairs, and ratios are held against limits. */
  readonly short: boolean;
  /** Ids of rows, or what they begin with; empty: all. */
  readonly only: readonly string[];
  /** Pairs of every row; each row's own number by default. */
  readonly pairs: number | undefined;
  readonly sites: number;
  /** Where peers are installed. */
  readonly peers: string;
  readonly write: boolean;
  readonly help: boolean;
}

export const USAGE = `Usage: npm run bench -- [option...]

Measures docvitals against what people would use instead, both in turn, and prints the tables.

  --only <ids>      rows to measure, separated by commas: one-shot/curl, or all of one-shot;
                    what grows is measured only if it is one of them: growth
  --runs <n>        pairs of every row, runs of every point, instead of their own number
  --sites <n>       sites that a monitor watches (default: 1000)
  --peers <folder>  where to install what this machine does not have
  --short           CI's form: a few pairs, which fails where a ratio is beyond its limit
  --write           write results.json and the tables of the documents
  --help            print this
`;

/** Reads the arguments; a problem in one sentence where they cannot be. */
export function readOptions(args: readonly string[], ids: readonly string[]): Options | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        runs: { type: 'string' },
        sites: { type: 'string', default: '1000' },
        peers: { type: 'string', default: PEERS },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const only = values.only.split(',').filter(Boolean);
    const unknown = only.find((wanted) => !ids.some((id) => isChosen(id, wanted)));
    if (unknown !== undefined) return { problem: `there is no row ${unknown}; there are ${ids.join(', ')}` };
    if (values.write && values.short) return { problem: '--short measures too little to be written' };
    const pairs = values.runs === undefined ? undefined : count(values.runs, '--runs');
    return { ...values, peers: path.resolve(values.peers), only, pairs, sites: count(values.sites, '--sites') };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Whether `one-shot` or `one-shot/curl` means this row. */
export const isChosen = (id: string, wanted: string): boolean => id === wanted || id.startsWith(`${wanted}/`);

function count(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${option} wants a whole number from 1, not ${text}`);
  return value;
}
