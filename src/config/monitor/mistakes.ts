/** The mistakes of meaning in what the file says of the monitor: its sites, its alert routes, itself. */
import { isIP, isIPv6 } from 'node:net';
import { loadCronReader, type CronReader } from '../cron.ts';
import type { Environment } from '../environment.ts';
import type { Known } from '../known.ts';
import { parseHostPort } from '../listen.ts';
import {
  checkingMistakes,
  codesOf,
  durationMistakes,
  expandedAt,
  itemsOf,
  membersOf,
  mistake,
  urlMistakes,
} from '../meaning.ts';
import type { Mistake, Path } from '../problem.ts';
import { valueAt } from '../shape.ts';
import { routesMistakes, textMistakes } from './route-mistakes.ts';
import { longerThan, watchingMistakes } from './schedule-mistakes.ts';
import { idMistakes, siteMistakes } from './site-mistakes.ts';

/** From the finest to the coarsest: what is coarser is kept at least as long. */
const KEPT = ['rounds', 'minutes', 'hours', 'days'] as const;

/** The mistakes of meaning in `sites`, `alerts` and `monitor`. What reads cron expressions is loaded where there is one. */
export async function monitorMistakes(value: unknown, env: Environment, known: Known): Promise<Mistake[]> {
  const cron: CronReader = hasCron(value) ? await loadCronReader() : () => undefined;
  return [
    ...idMistakes(value, ['sites'], 'site-twice'),
    ...siteMistakes(value, { env, known, cron }),
    ...idMistakes(value, ['alerts'], 'route-twice'),
    ...routesMistakes(value, env),
    ...watchingMistakes(value, ['monitor'], cron),
    ...expandedAt(value, ['monitor', 'database'], env).mistakes,
    ...textMistakes(value, ['monitor', 'listen'], env, {
      kind: 'listen',
      isGood: (text) => parseHostPort(text) !== undefined,
    }),
    ...urlMistakes(value, ['monitor', 'heartbeat', 'url'], env),
    ...durationMistakes(value, ['monitor', 'heartbeat', 'every']),
    ...controlMistakes(value, ['monitor', 'control']),
    ...retentionMistakes(value, ['monitor', 'retention']),
    ...probeMistakes(value, ['monitor', 'probe'], env, known),
    ...urlMistakes(value, ['monitor', 'page', 'url'], env),
  ];
}

function hasCron(value: unknown): boolean {
  const sites = itemsOf(valueAt(value, ['sites']));
  const watched = [...sites, valueAt(value, ['monitor'])];
  const places = watched.flatMap((place) => [
    place,
    valueAt(place, ['full']),
    ...itemsOf(valueAt(place, ['maintenance'])),
  ]);
  return places.some((place) => valueAt(place, ['cron']) !== undefined);
}

function controlMistakes(value: unknown, list: Path): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((text, index) =>
    typeof text !== 'string' || text === '' || parseHostPort(text, 1) !== undefined
      ? []
      : [mistake([...list, index], { kind: 'host-port' }, text)],
  );
}

function retentionMistakes(value: unknown, at: Path): Mistake[] {
  return KEPT.flatMap((key, index) => {
    const coarser = KEPT.slice(index + 1).flatMap((other) => longerThan(value, [...at, key], [...at, other]));
    return [...durationMistakes(value, [...at, key]), ...coarser.slice(0, 1)];
  });
}

function probeMistakes(value: unknown, at: Path, env: Environment, known: Known): Mistake[] {
  const codes = codesOf(value, known);
  const targets = itemsOf(valueAt(value, [...at, 'targets'])).flatMap((text, index) =>
    typeof text !== 'string' || text === '' || isTarget(text)
      ? []
      : [mistake([...at, 'targets', index], { kind: 'probe-target' })],
  );
  const modules = membersOf(valueAt(value, [...at, 'modules'])).flatMap(([name]): Mistake[] => {
    const path: Path = [...at, 'modules', name];
    const isThere = ['core', 'five', 'full'].includes(name);
    return [
      ...(isThere ? [{ path, at: 'key', expected: { kind: 'module-built-in', name } } as const] : []),
      ...checkingMistakes(value, path, { env, codes }),
    ];
  });
  return [...targets, ...modules];
}

/** A base URL; or a host, with all below it (`*.example.com`) or with a port; or a network (`10.0.0.0/8`). */
function isTarget(text: string): boolean {
  if (/^https?:\/\//i.test(text)) return (URL.parse(text)?.hostname ?? '') !== '';
  const [network = '', prefix, ...more] = text.split('/');
  if (prefix !== undefined || isIPv6(network)) {
    const most = isIPv6(network) ? 128 : 32;
    return isIP(network) !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && Number(prefix ?? 0) <= most;
  }
  const host = text.replace(/^\*\./, '');
  return parseHostPort(/\]$|^[^:]*$/.test(host) ? `${host}:443` : host, 1) !== undefined;
}
