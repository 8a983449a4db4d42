/** Cron expressions and time zones, read before anything depends on them. */

/** What is wrong with a cron expression; `undefined`: nothing is. Never throws. */
export type CronReader = (pattern: string) => 'cron' | 'cron-never' | undefined;

/** Expressions of which no day comes are found from here on: what is told of a file is not another thing each year. */
const SINCE = new Date('2024-01-01T00:00:00Z');

/** Loads what reads cron expressions; each of them is read once, however many sites have it. */
export async function loadCronReader(): Promise<CronReader> {
  const { Cron } = await import('croner');
  const read = new Map<string, ReturnType<CronReader>>();
  const problemOf: CronReader = (pattern) => {
    // A date is an expression to croner, too: it comes once.
    if (!/^@[a-z]+$/i.test(pattern) && !/^\S+(?:\s+\S+){4,5}$/.test(pattern)) return 'cron';
    try {
      return new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(SINCE) === null ? 'cron-never' : undefined;
    } catch {
      return 'cron';
    }
  };
  return (text) => {
    const pattern = text.trim();
    if (!read.has(pattern)) read.set(pattern, problemOf(pattern));
    return read.get(pattern);
  };
}

/** Whether there is a time zone of this IANA name. Offsets (`+01:00`) are none: they know of no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The names of all time zones, for whoever mistyped one. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}
