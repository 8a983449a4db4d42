/**
 * The examples of evidence that `docvitals explain` prints. Tests that provoke rules compare what the command reports
 * with them; `UPDATE_EXAMPLES=1` writes them again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../src/core/answer.ts';
import type { Location } from '../src/core/finding.ts';

const FILE = join(import.meta.dirname, '../src/report/evidence-examples.json');

interface Example {
  /** The test that provokes it. */
  readonly from: string;
  readonly location?: Location;
  readonly evidence: Evidence;
}

interface Reported {
  readonly rule: string;
  readonly evidence: Evidence;
  readonly location?: Location;
}

const EXAMPLES = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Example>;
const isUpdating = process.env['UPDATE_EXAMPLES'] === '1';

/** Which limit a hostile text reaches first depends on how busy the machine is. */
const comparable = (example: Example): string => JSON.stringify(example).replace('"limit":"time"', '"limit":"memory"');

/** Differs from run to run. */
const VARYING =
  /Ms$|^(?:date|age|etag|lastModified|validFrom|validTo|observed|receivedAt|expires|cfCacheStatus|serial|fingerprint.*)$/;

/** What a finding shows, as if the site were https://docs.example.com/. */
function shown({ evidence, location }: Reported, origin: string): Omit<Example, 'from'> {
  const kept = { evidence, ...(location === undefined ? {} : { location }) };
  const text = JSON.stringify(kept, (key, value: unknown) => (VARYING.test(key) ? undefined : value))
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-0000-0000-000000000000')
    .replaceAll(/"commit":"[0-9a-f]+"/g, '"commit":"4f2c9d1b7a"')
    .replaceAll(origin, 'https://docs.example.com')
    .replaceAll(new URL(origin).host, 'docs.example.com');
  return JSON.parse(text) as Omit<Example, 'from'>;
}

/** Examples of this test that the command no longer reports like this. */
export function differences(from: string, findings: readonly Reported[], origin: string): string[] {
  const firsts = findings.filter(({ rule }, at) => findings.findIndex((other) => other.rule === rule) === at);
  return firsts.flatMap((finding) => {
    const { rule } = finding;
    const now = shown(finding, origin);
    const known = EXAMPLES[rule];
    if (isUpdating && (known === undefined || known.from === from)) EXAMPLES[rule] = { from, ...now };
    if (isUpdating || known?.from !== from) return [];
    const same = comparable({ from, ...now }) === comparable(known);
    return same ? [] : [`${rule}: ${JSON.stringify(now)}`];
  });
}

/** Writes the examples, sorted, where they are updated. */
export function saveExamples(): void {
  if (!isUpdating) return;
  const others = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Example>;
  const all = Object.entries({ ...others, ...EXAMPLES }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
