import type { Report } from '../check.ts';
import { pageOf } from './html/page.ts';
import type { ReportOptions } from './options.ts';

/**
 * The report as one HTML file that is complete in itself: no scripts, nothing from the network, a policy that allows
 * neither. For people, so all of it is told whatever `detail` says, up to some megabytes; what is left out is told.
 */
export function htmlReport(report: Report, options: ReportOptions): string {
  return pageOf(report, options);
}
