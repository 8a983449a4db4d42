/** A minute of the real thing: nginx, the built command, a webhook, and what goes wrong with each of them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { nginxWanted } from '../../hosts/nginx.ts';
import { rehearse, type Outcome } from './rehearse.ts';
import { SHORT, SHORT_SITE } from './script.ts';
import { mistakesOf } from './verdict.ts';

describe.runIf(nginxWanted())('a monitor over nginx, with trouble by the book', () => {
  let outcome: Outcome;

  beforeAll(async () => {
    outcome = await rehearse({
      acts: SHORT,
      after: 8,
      site: SHORT_SITE,
    });
  }, 180_000);

  it('reports every incident, with its clocks, and alerts once', () => {
    expect(mistakesOf(outcome)).toEqual([]);
  });

  it('has alerts with stable keys', () => {
    const keys = outcome.received.map(({ key, body }) => [key, body.id]);
    expect(keys.every(([key, id]) => key === id)).toBe(true);
  });
});
