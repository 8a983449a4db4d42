/** The whole file: its head with the policy that allows nothing but its own styles, and the parts of the page in order. */
import { createHash } from 'node:crypto';
import type { Report, Status } from '../../check.ts';
import { sharedCause } from '../cause.ts';
import { groupsOf } from '../groups.ts';
import type { ReportOptions } from '../options.ts';
import { causeSection, findingsSection, passedSection, skippedSection } from './checks.ts';
import { generatorOf, runFacts, titleOf, verdictBanner, waitingSection } from './heading.ts';
import { markup, verbatim, type Markup } from './markup.ts';
import { checksSection, contentsOf } from './overview.ts';
import { tabSign, VERDICT_TONE } from './signs.ts';
import { STYLES } from './styles.ts';
import { tellingOf, type Telling } from './telling.ts';

const GRAVEST_FIRST: readonly Status[] = ['fail', 'unknown', 'warn'];

/**
 * The policy (CSP Level 3, section 6.6.4): the one style sheet by its hash, the sign in the tab, and nothing else.
 * A `<meta>` cannot say `frame-ancestors` or `sandbox`.
 */
const POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** The page; ends with a newline. */
export function pageOf(report: Report, options: ReportOptions): string {
  const telling = tellingOf(report, options);
  const { html } = markup`<!doctype html>
<html lang="${options.texts.language}">
${headOf(telling)}
<body>
<main>
${bodyOf(telling)}
</main>
<footer><p>${telling.words.madeBy}</p></footer>
</body>
</html>`;
  return `${html}\n`;
}

function headOf(telling: Telling): Markup {
  const { report } = telling;
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="${generatorOf(report)}">
<title>${titleOf(telling)}</title>
<link rel="icon" href="${tabSign(VERDICT_TONE[report.verdict])}">
<style>${verbatim(STYLES)}</style>
</head>`;
}

function bodyOf(telling: Telling): Markup {
  const { report, texts } = telling;
  const cause = sharedCause(report.checks, texts);
  const head = [verdictBanner(telling), runFacts(telling), waitingSection(telling)];
  if (cause !== null) return markup`${head}${causeSection(cause, telling)}${checksSection(telling, false)}`;
  const faulty = GRAVEST_FIRST.flatMap((wanted) => report.checks.filter(({ status }) => status === wanted));
  const groups = faulty.flatMap(groupsOf).filter(({ grade }) => grade !== 'info');
  const endedAs = (wanted: Status) => report.checks.filter(({ status }) => status === wanted);
  return markup`${head}${checksSection(telling, true)}${contentsOf(groups, telling)}${[
    findingsSection(faulty, telling),
    passedSection(endedAs('pass'), telling),
    skippedSection(endedAs('skip'), telling),
  ]}`;
}
