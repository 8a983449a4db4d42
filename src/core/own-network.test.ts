import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import { fake, options, run, SITE, trouble } from '../../test/runs.ts';
import type { Answer } from './answer.ts';
import type { Control } from '../http/control.ts';
import type { Reason } from '../http/reasons.ts';
import { runChecks } from './run.ts';

/** A control, and what it was asked. */
function control(responds: boolean) {
  const asked: string[] = [];
  const answer = (what: string) => async (): Promise<boolean> => {
    asked.push(what);
    return responds;
  };
  const given: Control = { reachesServers: answer('servers'), resolvesNames: answer('names') };
  return { given, asked };
}

const silent = async (reason: Reason, responds: boolean, base = 'https://docs.example/') => {
  const { given, asked } = control(responds);
  const { get } = fake({}, noReply(reason));
  return { report: await runChecks(options(get, { control: given, base: new URL(base) })), asked };
};

describe('a site that gives no response', () => {
  it.each([
    ['dns-not-found', 'names'],
    ['dns-temporary', 'names'],
    ['dns-timeout', 'names'],
    ['unreachable', 'servers'],
    ['connect-timeout', 'servers'],
  ] as const)('%s: is unknown where the control is silent, and down where it responds', async (reason, what) => {
    const cutOff = await silent(reason, false);
    expect(cutOff.asked).toEqual([what]);
    expect(cutOff.report.verdict).toBe('unknown');
    expect(trouble(cutOff.report)['bundle']).toEqual(['no-network']);
    expect(cutOff.report.checks[0]?.findings[0]).toMatchObject({ severity: null, evidence: { reason } });
    const down = await silent(reason, true);
    expect(down.report.verdict).toBe('down');
    expect(trouble(down.report)['bundle']).toEqual([reason]);
  });

  it.each<[string, Reason, string]>([
    ['that refuses the connection: something is reached', 'refused', 'https://docs.example/'],
    ['on this machine', 'connect-timeout', 'http://127.0.0.1:8080/'],
    ['in a private network', 'connect-timeout', 'http://10.0.0.7/'],
    ['under a name of its network', 'dns-not-found', 'http://docs.internal/'],
    ['under a name that never exists', 'dns-not-found', 'https://docs.invalid/'],
  ])('is down without asking %s', async (_name, reason, base) => {
    const { report, asked } = await silent(reason, false, base);
    expect([report.verdict, asked]).toEqual(['down', []]);
  });

  it('is down without asking where part of it responds', async () => {
    const { given, asked } = control(false);
    const files: Record<string, string | Answer> = { '/index.html': reply('', { status: 404 }) };
    const { get } = fake(files, noReply('connect-timeout'));
    const report = await runChecks(options(get, { control: given }));
    expect([report.verdict, asked]).toEqual(['down', []]);
  });

  it('is never asked about where the site is healthy', async () => {
    const { given, asked } = control(false);
    expect((await run(SITE, { control: given })).verdict).toBe('healthy');
    expect(asked).toEqual([]);
  });
});
