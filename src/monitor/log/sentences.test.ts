import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../../texts.ts';
import type { Gap } from '../clock/clock.ts';
import type { IncidentEvent, Transition } from '../incident/incident.ts';
import { sentenceOf } from './write.ts';

const SOURCES = path.join(import.meta.dirname, '../..');

/** Events that are named after what happened. */
const NAMED: Readonly<
  Record<`incident-${IncidentEvent['kind']}` | `failure-${NonNullable<Transition['suspicion']>}` | Gap['kind'], true>
> = {
  'incident-opened': true,
  'incident-changed': true,
  'incident-recovered': true,
  'failure-suspected': true,
  'failure-dismissed': true,
  'clock-jump': true,
  resumed: true,
  blocked: true,
};

it('has a sentence in each language for every event that is logged', () => {
  const files = globSync(['monitor/**/*.ts', 'cli/**/*.ts'], { cwd: SOURCES }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const events = new Set([
    ...Object.keys(NAMED),
    ...files.flatMap((file) =>
      [
        ...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(
          /\blog\(\s*(?:'(?:debug|info|warn|error)'|\w+ \? '\w+' : '\w+'),\s*(?:[^,?]+\? ('[a-z-]+') : )?('[a-z-]+')/g,
        ),
      ].flatMap(([, ...quoted]) => quoted.flatMap((event) => event?.slice(1, -1) ?? [])),
    ),
  ]);
  expect(events.size).toBeGreaterThan(20);
  const missing = [...events].flatMap((event) =>
    LANGUAGES.filter((language) => sentenceOf(event, {}, language) === null).map((language) => `${event} ${language}`),
  );
  expect(missing).toEqual([]);
});
