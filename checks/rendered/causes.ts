import type { CheckResult, Finding } from '../../src/check.ts';

/**
 * The finding of another check that explains what the browser showed. Nothing is shown without the files that the
 * engine needs; the rest is about the same file.
 */
export function causeOf({ rule, evidence }: Finding, others: readonly CheckResult[]): string | null {
  if (rule === 'blank') return withoutVital(others) ?? withoutScript(others);
  const { url, target, message } = evidence;
  const isAboutSettings = typeof message === 'string' && /JSON|config/i.test(message);
  if (rule === 'console-error' || rule === 'uncaught-exception') return isAboutSettings ? withoutVital(others) : null;
  return firstOf(others, (finding, result) => {
    if (finding.severity !== 'error' && finding.severity !== 'warning') return false;
    const about = [
      finding.evidence['url'],
      finding.evidence['target'],
      finding.evidence['path'],
      finding.evidence['link'],
    ];
    return (
      (url !== undefined && result.url === url) ||
      about.some((one) => one !== undefined && (one === url || one === target))
    );
  });
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

function withoutVital(others: readonly CheckResult[]): string | null {
  const needed = others
    .filter(({ vital }) => vital !== undefined)
    .toSorted((one, other) => Number(other.vital) - Number(one.vital));
  return firstOf(needed, isError);
}

const withoutScript = (others: readonly CheckResult[]): string | null =>
  firstOf(
    others,
    (finding) => isError(finding) && ['script', 'chunk'].some((kind) => finding.evidence['kind'] === kind),
  );

function firstOf(
  results: readonly CheckResult[],
  isCause: (finding: Finding, result: CheckResult) => boolean,
): string | null {
  for (const result of results) {
    const finding = result.findings.find((one) => isCause(one, result));
    if (finding !== undefined) return `${result.id}/${finding.rule}`;
  }
  return null;
}
