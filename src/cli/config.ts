import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { parseBaseUrl } from '../base-url.ts';
import { loadMessages } from '../messages/load.ts';
import { writeOut, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { ConfigError } from '../project/config-error.ts';
import { echoed } from '../project/echoed.ts';
import { knownChecks, type ProjectFlags } from '../project/settings.ts';
import { UsageError } from '../project/usage-error.ts';
import { pickLanguage } from '../texts.ts';
import { monitorRows } from './config-monitor.ts';

/** What `docvitals config` can do. */
export const CONFIG_ACTIONS = ['check', 'schema'] as const;

/** Runs `docvitals config <action>`; resolves with the exit status. */
export async function config(given: string, flags: ProjectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const action = CONFIG_ACTIONS.find((known) => known === given);
  if (action === undefined) {
    const guess = nearest(given, CONFIG_ACTIONS) ?? null;
    throw new UsageError((messages) => messages.unknownConfigAction(echoed(given), CONFIG_ACTIONS.join(', '), guess));
  }
  return action === 'schema' ? printSchema() : checkConfig(flags, env);
}

async function printSchema(): Promise<number> {
  const { default: schema } = await import('../config/docvitals.schema.json', { with: { type: 'json' } });
  await writeOut(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}

/** Says what holds, one setting a line. Throws a `ConfigError`. */
async function checkConfig(flags: ProjectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const loaded = await loadConfig({ cwd: process.cwd(), file: flags.config, env, known: knownChecks() });
  if (!loaded.ok) throw new ConfigError(loaded.problems);
  const language = pickLanguage({ flag: flags.lang, config: loaded.config.language ?? undefined, env });
  const messages = await loadMessages(language);
  const title = loaded.file === null ? messages.noConfiguration() : messages.goodConfiguration(printable(loaded.file));
  const notes = isUnwatched(loaded.config) ? [messages.urlNotWatched()] : [];
  await writeShown([title, ...settingsOf(loaded.config), ...notes].map((line) => `${line}\n`).join(''));
  return 0;
}

/** Whether the file has a URL that the monitor does not look at. */
function isUnwatched({ url, monitor }: Config): boolean {
  const base = (address: string): string | null => {
    const parsed = parseBaseUrl(address);
    return parsed.ok ? parsed.base.href : null;
  };
  return url !== null && monitor.sites.every((site) => base(site.url) !== base(url));
}

/** What is set, by the names of the keys. Values that may be secret are left out. */
function settingsOf(settings: Config): readonly string[] {
  const site = parseBaseUrl(settings.url ?? '');
  const { limits, headers, rules, resolve, checks, monitor, ...plain } = settings;
  const rows: readonly (readonly [key: string, value: string])[] = [
    ...Object.entries({ ...plain, url: site.ok ? site.base.href : null }).map(
      ([key, value]) => [key, shown(value)] as const,
    ),
    ['limits', Object.keys(limits).join(', ')],
    ['headers', Object.keys(headers).join(', ')],
    ['rules', [...rules].map(([name, severity]) => `${name} ${severity}`).join(', ')],
    ['resolve', resolve.map(({ host, port }) => `${host}:${port}`).join(', ')],
    ['checks', checks.map(({ id }) => id).join(', ')],
  ];
  const all = [...rows, ...monitorRows(monitor, settings.url)];
  return all.flatMap(([key, value]) => (value === '' ? [] : [printable(`  ${key}: ${value}`)]));
}

/** A setting as it may be told; empty where it is the default. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (value === true || typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : '';
}
