/**
 * `node test/monitor/real-run/run.ts [--short] [--out <dir>]`: an hour of a monitor with its defaults against nginx, with
 * a scripted day's worth of trouble. Prints what came of it as Markdown, and exits 1 where that is not what it should be.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { rehearse, type Outcome } from './rehearse.ts';
import { HOUR, SHORT, SHORT_SITE } from './script.ts';
import { mistakesOf } from './verdict.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean' }, out: { type: 'string' } } });

const outcome = await rehearse({
  acts: values.short ? SHORT : HOUR,
  after: values.short ? 8 : 300,
  site: values.short ? SHORT_SITE : {},
  tell: (line) => console.error(`${new Date().toISOString()} ${line}`),
});

const mistakes = mistakesOf(outcome);
console.log(table(outcome));
console.log(mistakes.length === 0 ? 'All as it should be.' : mistakes.map((mistake) => `- ${mistake}`).join('\n'));
if (values.out !== undefined) keep(outcome, values.out);
process.exitCode = mistakes.length === 0 ? 0 : 1;

/** A line an incident, with its clocks in seconds against what was done. */
function table({ played, incidents, sizes }: Outcome): string {
  const wanted = played.filter(({ act }) => act.expected !== null);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const rows = wanted.map(({ act, beganAt, endedAt }, index) => {
    const incident = incidents[index];
    if (incident === undefined) return `| ${act.name} | none | | | | | |`;
    const since = (time: string | null, from: number): string =>
      time === null ? '–' : seconds(Date.parse(time) - from);
    const cells = [
      act.name,
      `${incident.verdict} ${incident.rules.join(' ')}`,
      since(incident.startedAt, beganAt),
      since(incident.detectedAt, beganAt),
      since(incident.notifiedAt, beganAt),
      since(incident.recoveredAt, endedAt),
      `${seconds(endedAt - beganAt)} → ${seconds(incident.durationMs ?? NaN)} (${incident.recoveryTimeObjectiveMet ? 'met' : 'not met'})`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const [first, last] = [sizes.at(2), sizes.at(-1)];
  return [
    '| what happened | incident | started, s after the fault | detected | told | recovered, s after its end | lasted, s: really → told |',
    '| :--- | :--- | ---: | ---: | ---: | ---: | :--- |',
    ...rows,
    '',
    `Memory ${mib(first?.rssKiB)} → ${mib(last?.rssKiB)} MiB, descriptors ${first?.descriptors} → ${last?.descriptors}.`,
    '',
  ].join('\n');
}

function mib(kib: number | undefined): string {
  return kib === undefined ? '–' : (kib / 1024).toFixed(0);
}

function keep({ metrics, page, log, received, incidents }: Outcome, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    'metrics.txt': metrics,
    'page.html': page,
    'log.jsonl': log.map((line) => JSON.stringify(line)).join('\n'),
    'alerts.json': JSON.stringify(received, null, 2),
    'incidents.json': JSON.stringify(incidents, null, 2),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}
