/** Calls what `in-page.js` offers, in a world of its own in the page: scripts of the page see and change nothing of it. */
import type { CDPSession } from 'playwright-core';
import inPage from '../generated/in-page.json' with { type: 'json' };
import type { Barrier, Measures, View } from './types.ts';

/** What is shown, without what is seen from outside. */
export interface Shown extends Pick<Measures, 'headingMs' | 'largestPaintMs'> {
  readonly layoutShift: number;
  readonly headings: readonly string[];
  readonly text: string;
  readonly links: number;
}

interface State {
  readonly isShown: boolean;
  readonly isComplete: boolean;
  /** Changes with the document. */
  readonly size: number;
}

const WORLD = 'docvitals';

/** `headings`: one of them is awaited. */
export async function attachProbe(session: CDPSession, headings: readonly string[]) {
  /** The world in the page that is shown; each navigation makes a new one. */
  let world: number | null = null;
  const { frameTree } = await session.send('Page.getFrameTree');
  session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData = {} } }) => {
    if (name === WORLD && (auxData as { frameId?: string }).frameId === frameTree.frame.id) world = id;
  });
  const source = `globalThis.docvitals = (${inPage.script})(${JSON.stringify(headings)})`;
  await Promise.all([session.send('Page.enable'), session.send('Runtime.enable')]);
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });

  const evaluate = async <T>(expression: string): Promise<T> => {
    if (world === null) throw new Error('no page');
    const options = { contextId: world, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails: error } = await session.send('Runtime.evaluate', { expression, ...options });
    if (error !== undefined) throw new Error(error.exception?.description ?? error.text);
    return result.value as T;
  };
  return {
    state: () => evaluate<State>('docvitals.state()'),
    collect: (links: readonly string[]) => evaluate<Shown>(`docvitals.collect(${JSON.stringify(links)})`),
    /** Whether all text that is shown is in a document as it was received. */
    isStatic: (html: string) => evaluate<boolean>(`docvitals.isStatic(${JSON.stringify(html)})`),
    overflow: () => evaluate<View['overflow']>('docvitals.overflow()'),
    clear: () => evaluate<null>('document.body?.replaceChildren(), null'),
    async barriers(axe: string): Promise<readonly Barrier[]> {
      await evaluate(`${axe};null`);
      return evaluate('docvitals.barriers()');
    },
  };
}

export type Probe = Awaited<ReturnType<typeof attachProbe>>;
