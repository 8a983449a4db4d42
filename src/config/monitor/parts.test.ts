import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load.ts';
import type { MonitorPart } from './parts.ts';

const TEXT = `url: https://docs.example/
headers: { Authorization: "\${TOKEN}" }
sites: [{ id: docs, url: "https://\${HOST}/" }]
alerts: [{ id: ops, webhook: { url: "\${HOOK}" } }]
monitor:
  database: "\${STATE}/docvitals.db"
  heartbeat: { url: "\${BEAT}" }
`;

/** The keys whose variables are missed. */
async function missed(needed: readonly MonitorPart[] | undefined): Promise<readonly string[]> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-parts-'));
  try {
    await writeFile(path.join(cwd, 'docvitals.yaml'), TEXT);
    const loaded = await loadConfig({ cwd, env: {}, known: { builtIn: {}, own: [] }, needed });
    return loaded.ok ? [] : loaded.problems.map(({ key }) => key);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

describe('variables that are not set', () => {
  it.each<[string, readonly MonitorPart[] | undefined, readonly string[]]>([
    ['everything', undefined, ['sites[0].url', 'alerts[0].webhook.url', 'monitor.database', 'monitor.heartbeat.url']],
    ['nothing of the monitor', [], []],
    ['the sites', ['sites'], ['sites[0].url']],
    ['where the database is', ['monitor'], ['monitor.database']],
    ['the heartbeat', ['heartbeat'], ['monitor.heartbeat.url']],
    ['routes', ['alerts'], ['alerts[0].webhook.url']],
  ])('are mistakes where a command uses %s', async (_name, needed, keys) => {
    expect(await missed(needed)).toEqual(['headers.Authorization', ...keys]);
  });
});
