import { setImmediate } from 'node:timers/promises';

/** How long work may go on before signals, timers and the network get their turn. */
const SLICE_MS = 20;

let turnedAt = 0;
let turn: Promise<void> | undefined;

async function nextTurn(): Promise<void> {
  await setImmediate();
  turnedAt = performance.now();
  turn = undefined;
}

/** To be awaited between the steps of long work: lets what else this process has to do go on, now and then. */
export async function takeTurns(): Promise<void> {
  // Of several that waited, the first may use up the next slice.
  while (performance.now() - turnedAt >= SLICE_MS) await (turn ??= nextTurn());
}
