/** The body of a webhook, which commands read as well: the shape that callers rely on. Pure. */
import { incidentDocument, type IncidentDocument } from '../incident/document.ts';
import type { AlertEvent } from './outbox.ts';
import type { Message } from './message.ts';
import type { Location } from '../../check.ts';
import { frameLines } from '../../report/plain-findings.ts';
import type { Language, Texts } from '../../texts.ts';

/** Exactly these keys. */
export interface AlertDocument {
  /** The same as in `Idempotency-Key`: stable, however often it is sent. */
  readonly id: string;
  readonly event: AlertEvent;
  /** Only in a notification that tries out a route. */
  readonly test?: true;
  /** `url` without userinfo; `null` where the site is not in the configuration any more. */
  readonly site: { readonly id: string; readonly url: string | null };
  readonly incident: IncidentDocument;
  /** What fails; of an incident that is over: what failed last. `problem` and `fix` are Markdown with no markup but code. */
  readonly findings: readonly {
    readonly check: string;
    readonly code: string;
    readonly problem: string;
    readonly fix: string;
    /** `line` and `column` count from 1; `null`: the fault is at no place in a text. */
    readonly location: Location | null;
    /** The lines around it, with a caret under the fault. */
    readonly excerpt: string | null;
  }[];
  readonly language: Language;
}

const MOST_FINDINGS = 50;

/** The alert as JSON. */
export function alertDocument({ key, event, site, incident, findings, isTest }: Message, texts: Texts): AlertDocument {
  return {
    id: key,
    event,
    ...(isTest ? { test: true } : {}),
    site: { id: site.id, url: site.url },
    incident: incidentDocument(incident),
    findings: incident.findings.slice(0, MOST_FINDINGS).map((finding) => {
      const { check, code, location } = finding;
      const frame = frameLines(finding);
      const text = texts.finding(check, code) ?? findings.find((one) => one.check === check && one.code === code);
      return {
        check,
        code,
        problem: text?.problem ?? `${check}/${code}`,
        fix: text?.fix ?? '',
        location,
        excerpt: frame.length === 0 ? null : frame.join('\n'),
      };
    }),
    language: texts.language,
  };
}
