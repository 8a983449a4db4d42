import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../base-url.ts';
import { checked, type RunPlan } from './run-options.ts';
import { UsageError } from './arguments.ts';
import { messagesIn } from '../locales/messages.ts';

/** A run without checks, in this environment. */
function planIn(environment: Readonly<Record<string, string>>): RunPlan {
  const parsed = parseBaseUrl('http://docs.test/');
  if (!parsed.ok) throw new Error(parsed.problem);
  return { site: parsed, checks: [], wait: null, environment };
}

/** What running rejects with; the report where it does not. */
const outcomeIn = (environment: Readonly<Record<string, string>>): Promise<unknown> =>
  checked(planIn(environment), {}).catch((error: unknown) => error);

describe('checked', () => {
  it('reports', async () => {
    expect(await outcomeIn({})).toMatchObject({ verdict: 'healthy', checks: [] });
  });

  it('reports an unusable proxy', async () => {
    const error = await outcomeIn({ HTTP_PROXY: 'socks5://127.0.0.1:1080' });
    expect(error).toBeInstanceOf(UsageError);
    const fr = messagesIn('fr');
    expect((error as UsageError).report(fr)).toBe(fr.badProxy('HTTP_PROXY'));
  });

  it('does not take a defect of docvitals for a mistake of the user', async () => {
    const degradation = new RangeError('Maximum call stack size exceeded');
    const environment = Object.defineProperty({}, 'http_proxy', {
      get() {
        throw degradation;
      },
    });
    expect(await outcomeIn(environment)).toBe(degradation);
  });
});
