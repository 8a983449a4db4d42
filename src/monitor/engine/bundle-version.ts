import { hash } from 'node:crypto';
import type { Answer } from '../../check.ts';

/** Hexadecimal digits of the hash that are told: as Git shortens its own. */
const DIGITS = 12;

/**
 * Tells which bundle is live, where the site itself tells no version. A page that is made anew for each request has
 * another hash each time: only what is seen twice in a row is a version.
 */
export class BundleVersion {
  readonly #url: string;
  #last: string | null = null;
  #version: string | null = null;

  constructor(base: URL) {
    this.#url = new URL('index.html', base).href;
  }

  /** Takes up an answer of a round; those to other requests say nothing. */
  heard(answer: Answer): void {
    if (answer.kind !== 'reply' || answer.status !== 200 || answer.requestUrl !== this.#url) return;
    const seen = `sha256:${hash('sha256', answer.body).slice(0, DIGITS)}`;
    if (seen === this.#last) this.#version = seen;
    this.#last = seen;
  }

  /** The version that is known; `null`: none yet. */
  get version(): string | null {
    return this.#version;
  }
}
