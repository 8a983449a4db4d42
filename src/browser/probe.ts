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

export class Probe {
  readonly #session: CDPSession;
  /** The world in the page that is shown; each navigation makes a new one. */
  #world: number | null = null;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** `headings`: one of them is awaited. */
  static async attach(session: CDPSession, headings: readonly string[]): Promise<Probe> {
    const probe = new Probe(session);
    const { frameTree } = await session.send('Page.getFrameTree');
    session.on('Runtime.executionContextCreated', ({ context: { id, name, auxData = {} } }) => {
      if (name === WORLD && (auxData as { frameId?: string }).frameId === frameTree.frame.id) probe.#world = id;
    });
    const source = `globalThis.docvitals = (${inPage.script})(${JSON.stringify(headings)})`;
    await Promise.all([session.send('Page.enable'), session.send('Runtime.enable')]);
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
    return probe;
  }

  state(): Promise<State> {
    return this.#evaluate('docvitals.state()');
  }

  collect(links: readonly string[]): Promise<Shown> {
    return this.#evaluate(`docvitals.collect(${JSON.stringify(links)})`);
  }

  /** Whether all text that is shown is in a document as it was received. */
  isStatic(html: string): Promise<boolean> {
    return this.#evaluate(`docvitals.isStatic(${JSON.stringify(html)})`);
  }

  overflow(): Promise<View['overflow']> {
    return this.#evaluate('docvitals.overflow()');
  }

  clear(): Promise<null> {
    return this.#evaluate('document.body?.replaceChildren(), null');
  }

  async barriers(axe: string): Promise<readonly Barrier[]> {
    await this.#evaluate(`${axe};null`);
    return this.#evaluate('docvitals.barriers()');
  }

  async #evaluate<T>(expression: string): Promise<T> {
    if (this.#world === null) throw new Error('no page');
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      contextId: this.#world,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }
}
