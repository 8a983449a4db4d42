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
import { tabIcon, VERDICT_TONE } from './icons.ts';
import { STYLES } from './styles.ts';
import { htmlContextOf, type HtmlContext } from './context.ts';

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
  const context = htmlContextOf(report, options);
  const { html } = markup`<!doctype html>
<html lang="${options.texts.language}">
${headOf(context)}
<body>
<main>
${bodyOf(context)}
</main>
<footer><p>${context.words.madeBy}</p></footer>
</body>
</html>`;
  return `${html}\n`;
}

function headOf(context: HtmlContext): Markup {
  const { report } = context;
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="${generatorOf(report)}">
<title>${titleOf(context)}</title>
<link rel="icon" href="${tabIcon(VERDICT_TONE[report.verdict])}">
<style>${verbatim(STYLES)}</style>
</head>`;
}

function bodyOf(context: HtmlContext): Markup {
  const { report, texts } = context;
  const cause = sharedCause(report.checks, texts);
  const head = [verdictBanner(context), runFacts(context), waitingSection(context)];
  if (cause !== null) return markup`${head}${causeSection(cause, context)}${checksSection(context, false)}`;
  const faulty = GRAVEST_FIRST.flatMap((wanted) => report.checks.filter(({ status }) => status === wanted));
  const groups = faulty.flatMap(groupsOf).filter(({ severity }) => severity !== 'info');
  const endedAs = (wanted: Status) => report.checks.filter(({ status }) => status === wanted);
  return markup`${head}${checksSection(context, true)}${contentsOf(groups, context)}${[
    findingsSection(faulty, context),
    passedSection(endedAs('pass'), context),
    skippedSection(endedAs('skip'), context),
  ]}`;
}
