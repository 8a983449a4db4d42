import type { Report } from '../check.ts';
import { checkSite } from '../check-site.ts';
import { ProxyError } from '../http/address.ts';
import type { Language } from '../texts.ts';
import type { Waiting } from '../wait/wait.ts';
import type { RunPlan } from './run-options.ts';
import { inLanguage, UsageError } from './usage-error.ts';

/**
 * Checks a site once, or waits for it, for a person. A proxy variable that is unusable rejects with a `UsageError` in
 * their language before anything is sent; everything else as `checkSite` and `waitForSite` do.
 */
export function checked(
  { wait, ...options }: RunPlan,
  language: Language,
  hooks: Pick<Waiting, 'onRun'>,
): Promise<Report> {
  return inLanguage(language, async () => {
    try {
      if (wait === null) return await checkSite(options);
      const { waitForSite } = await import('../wait/wait.ts');
      return await waitForSite(options, { ...wait, ...hooks });
    } catch (error) {
      if (!(error instanceof ProxyError)) throw error;
      throw new UsageError((messages) => messages.badProxy(error.variable));
    }
  });
}
