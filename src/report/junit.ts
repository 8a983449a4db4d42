/** JUnit XML for Jenkins and GitLab. Jenkins' xunit plugin refuses `file` and `line` of a case: locations are in the text. */
import type { CheckResult, Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { isFailed, statusBy } from '../core/verdict.ts';
import { cutText, fitting } from './cut.ts';
import { factLines } from './facts.ts';
import { groupsOf } from './groups.ts';
import { summaryOf } from './summary.ts';
import type { ReportOptions } from './formats.ts';
import type { Texts } from './texts.ts';
import { prettyFindings } from './pretty.ts';
import { element, textElement, type Xml } from './xml.ts';
import { reportWords } from '../generated/locales/report.ts';

/** Of one case. GitLab takes files of 30 MB. */
const LONGEST_TEXT = 64_000;
const LONGEST_LINE = 1_000;

export function junitReport(report: Report, options: ReportOptions): string {
  const { checks, durationMs, site } = report;
  const counts = {
    name: printable(site.url),
    tests: checks.length,
    failures: checks.filter((result) => isFailed(result, report)).length,
    errors: checks.filter(({ status }) => status === 'unknown').length,
  };
  const skipped = checks.filter(({ status }) => status === 'skip').length;
  const time = secondsOf(durationMs);
  // The schemas want a local time without a zone: it is UTC.
  const timestamp = report.startedAt.slice(0, 19);
  const className = `docvitals.${nameOf(site.url)}`;
  const suite = element('testsuite', { ...counts, skipped, time, timestamp }, [
    propertiesOf(report, options),
    ...checks.map((result) => testCase(result, className, report, options)),
  ]);
  const root = element('testsuites', { ...counts, name: 'docvitals', time }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root('')}\n`;
}

function propertiesOf(report: Report, options: ReportOptions): Xml {
  const { tool, verdict, strict, fresh, waited, interrupted } = report;
  const properties = {
    version: tool.version,
    language: options.texts.language,
    verdict,
    summary: summaryOf(report, options),
    strict,
    fresh,
    interrupted,
  };
  const ofWait = Object.entries(waited ?? {}).map(([name, value]) => [`waited.${name}`, value] as const);
  const known = [...Object.entries(properties), ...ofWait].filter(([, value]) => value !== null);
  return element(
    'properties',
    {},
    known.map(([name, value]) => element('property', { name: `docvitals.${name}`, value: String(value) })),
  );
}

function testCase(result: CheckResult, className: string, report: Report, options: ReportOptions): Xml {
  const { id, status, target, url, httpStatus, durationMs, skipped, facts = {} } = result;
  const { texts } = options;
  // As in the terminal; a line is as long as its text.
  const findings = prettyFindings(result, report, { ...options, columns: Infinity, colour: false });
  const seen = factLines(facts, texts.language);
  const children: Xml[] = [];
  const isFailure = isFailed(result, report);
  const isBroken = isFailure || status === 'unknown';
  if (status === 'skip') {
    const reason = skipped === undefined ? '' : texts.problem(id, skipped.rule);
    children.push(textElement('skipped', { message: reason }, reason));
  } else if (isBroken) {
    const groups = groupsOf(result);
    const worst = groups.find((group) => statusBy(group) === status) ?? groups[0];
    const rule = worst?.rule ?? status;
    const attributes = { type: `${id}/${rule}`, message: texts.problem(id, rule) };
    const request = [target, httpStatus, url].filter((part) => part !== null).join('  ');
    const text = textOf([printable(request), ...findings], texts);
    children.push(textElement(isFailure ? 'failure' : 'error', attributes, text));
  }
  // Warnings and advice of a check that passed, and the facts of any check.
  const output = isBroken || findings.length === 0 ? seen : [...findings, '', ...seen];
  if (output.length > 0) children.push(textElement('system-out', {}, textOf(output, texts)));
  return element('testcase', { classname: className, name: id, time: secondsOf(durationMs) }, children);
}

function textOf(all: readonly string[], { language }: Texts): string {
  const short = all.map((line) => cutText(line, LONGEST_LINE));
  const kept = fitting(short, LONGEST_TEXT);
  const left = short.length - kept.length;
  const lines = left === 0 ? kept : [...kept, reportWords(language).cutLines(left)];
  // Jenkins and GitLab take the file that this names for an attachment of the case.
  return lines.join('\n').replaceAll(/\[\[(?=ATTACHMENT\|)/gi, '[ [');
}

const secondsOf = (ms: number): string => (ms / 1000).toFixed(3);

/** An address as part of a class name, in which a dot ends a package: `docs-example-com-guide`. */
function nameOf(url: string): string {
  const parts = url.replace(/^https?:\/\//, '').split(/[^A-Za-z0-9]+/);
  return parts.filter((part) => part !== '').join('-');
}
