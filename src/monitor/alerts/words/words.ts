import type { IncidentVerdict } from '../../settings.ts';
import type { DatabaseNotice } from '../notice.ts';
import type { AlertEvent } from '../outbox.ts';

/** What an alert says, in one language. All strings come printable; durations and times come written out. */
export interface AlertWords {
  /** Units of time, as they stand behind a number. */
  readonly units: { readonly day: string; readonly hour: string; readonly minute: string; readonly second: string };
  /** Written before the decimals of a number. */
  readonly decimal: string;
  /** Between a label and its value, with its spaces. */
  readonly colon: string;
  /** The first line: what happened to which site. `lasting`: how long it is or was not well. */
  subject(event: AlertEvent, verdict: IncidentVerdict, site: string, lasting: string): string;
  /** The same of an outage that is over, where the site is not well all the same. */
  upAgain(verdict: IncidentVerdict, site: string, lasting: string): string;
  /** Goes before the subject of an alert that only tries out a route. */
  readonly test: string;
  readonly testNote: string;
  /** What visitors see of it. */
  readonly meaning: Readonly<Record<IncidentVerdict, string>>;
  /** About the monitor itself. */
  readonly notices: Readonly<
    Record<DatabaseNotice, { readonly subject: string; readonly problem: string; readonly fix: string }>
  >;
  /** `recovered in 41 s, objective 60 s: met` */
  recovered(duration: string, objective: string, isMet: boolean): string;
  /** Of an open incident. */
  objective(objective: string, isPassed: boolean): string;
  /** A duration that counts from detection. */
  fromDetection(duration: string): string;
  /** Names of facts. */
  readonly labels: {
    readonly site: string;
    readonly checks: string;
    readonly codes: string;
    readonly started: string;
    /** In its place, where it is the end of maintenance. */
    readonly maintained: string;
    /** In its place, where the site was never seen well. */
    readonly seenFirst: string;
    /** In its place, where the site was not well before, but not down. */
    readonly seenUp: string;
    /** In its place, where the site was down before. */
    readonly outageEnded: string;
    readonly detected: string;
    readonly notified: string;
    readonly recovered: string;
    readonly incident: string;
    readonly fix: string;
    readonly seen: string;
    readonly statusPage: string;
    readonly openSite: string;
  };
  /** The same root cause at other sites. */
  also(sites: readonly string[]): string;
  /** A version that went live shortly before. `before`: the one that it took the place of. */
  deploy(version: string, before: string | null, seenAt: string): string;
  readonly flapping: string;
  /** Findings that are not told. */
  more(count: number): string;
  /** Under an alert. */
  readonly sentBy: string;
  /** What `docvitals alert` says. `channel`: its kind; `error`: as the log names it. */
  readonly command: {
    sent(route: string, channel: string, took: string): string;
    notSent(route: string, channel: string, took: string, error: string): string;
    readonly noneWaits: string;
    /** More than are told. */
    others(count: number): string;
    /** In place of the time of the next attempt: that is as soon as the monitor comes to it. */
    readonly soon: string;
    /** Over the columns: route, event, site, next attempt, attempts, why in vain. */
    readonly heads: readonly [string, string, string, string, string, string];
  };
  /** Comments on the issue of an incident; in Markdown, names of findings as code. */
  issueChanged(added: readonly string[], gone: readonly string[]): string;
  readonly issueReopened: string;
  readonly issueRecovered: string;
}
