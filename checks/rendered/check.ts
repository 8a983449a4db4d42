import { fullCheck } from '../full-check.ts';
import type { CheckResult } from '../../src/core/check.ts';
import type { Finding } from '../../src/core/finding.ts';
import { pathUnder } from '../../src/engines/link.ts';

const RULES = {
  'no-browser': 'skip',
  blank: 'error',
  'route-not-found': 'error',
  'wrong-page': 'error',
  'navigation-missing': 'error',
  'console-error': 'warning',
  'uncaught-exception': 'warning',
  'request-failed': 'warning',
  'external-request-failed': 'warning',
  'mixed-content': 'warning',
  'csp-blocked': 'warning',
  slow: 'warning',
  'layout-broken': 'warning',
  'not-accessible': 'warning',
  'not-opened': 'unknown',
  'browser-failed': 'unknown',
  interrupted: 'unknown',
} as const;

export type RenderedRule = keyof typeof RULES | 'no-answer';

/** Pages as a real browser shows them. */
export const rendered = fullCheck({
  id: 'rendered',
  target: '<pages>',
  role: 'browser',
  rules: RULES,
  vital: ['blank'],
  causeOf,
  load: () => import('./evaluate.ts'),
});

/** The finding of another check that explains what the browser showed: without vital files nothing is shown. */
function causeOf({ rule, evidence }: Finding, others: readonly CheckResult[], base: URL): string | null {
  if (rule === 'blank') return withoutVital(others) ?? firstOf(others, isBrokenScript);
  const { url, target, message } = evidence;
  if (typeof message === 'string') {
    // A script fails because of the configuration, or because the settings in the bundle cannot be parsed.
    if (/JSON|config/i.test(message)) return withoutVital(others);
    return message.startsWith('SyntaxError') ? firstOf(others, (finding) => finding.rule === 'script-syntax') : null;
  }
  // Some checks name files by their paths.
  const path = typeof url === 'string' && URL.canParse(url) ? pathUnder(new URL(url), base) : null;
  const ofFile = firstOf(others, (finding, result) => {
    if (finding.severity !== 'error' && finding.severity !== 'warning') return false;
    if (url !== undefined && result.url === url) return true;
    const about = (['url', 'target', 'path', 'link'] as const).map((field) => finding.evidence[field]);
    return about.some((one) => one !== undefined && (one === url || one === target || one === path));
  });
  // With the engine's own settings another page is the home page.
  return ofFile ?? (rule === 'wrong-page' && evidence['route'] === '/' ? withoutVital(others) : null);
}

function withoutVital(others: readonly CheckResult[]): string | null {
  const needed = others
    .filter(({ vital }) => vital !== undefined)
    .toSorted((one, other) => Number(other.vital) - Number(one.vital));
  return firstOf(needed, ({ severity }) => severity === 'error');
}

const isBrokenScript = ({ severity, evidence: { kind } }: Finding): boolean =>
  severity === 'error' && (kind === 'script' || kind === 'chunk');

function firstOf(results: readonly CheckResult[], isCause: (finding: Finding, result: CheckResult) => boolean) {
  const causes = results.flatMap((result) =>
    result.findings.filter((finding) => isCause(finding, result)).map((finding) => `${result.id}/${finding.rule}`),
  );
  return causes[0] ?? null;
}
