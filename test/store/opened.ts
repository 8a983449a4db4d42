import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../../src/monitor/store/store.ts';

/** A store that is empty at first, and how to open it again on what it kept. */
export interface Opened {
  readonly store: Store;
  readonly reopen: () => Promise<Store>;
  /** Closes what is open, and removes it. */
  dispose(): Promise<void>;
}

export type OpenEmpty = () => Promise<Opened>;

/** The store of each test. */
export function eachWith(open: OpenEmpty): () => Opened {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.dispose());
  return () => opened;
}
