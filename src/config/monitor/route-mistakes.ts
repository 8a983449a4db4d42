/** The mistakes of meaning in the alert routes. What a route's channel holds is never shown: it is most likely a secret. */
import type { Environment } from '../environment.ts';
import { isHeaderValue } from '../header.ts';
import { durationMistakes, expandedAt, headerMistakes, itemsOf, mistake, urlMistakes } from '../meaning.ts';
import type { Mistake, Path } from '../problem.ts';
import { valueAt } from '../shape.ts';
import { CHANNELS } from './expectations.ts';
import { has, isMapping, twoKeys } from './schedule-mistakes.ts';

/** `ops@example.com`, or `Operations <ops@example.com>`. */
const MAIL =
  /^(?:[^<>@,;:"\p{Cc}]*<[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+>|[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+)$/u;

/** The mistakes in `alerts`, but ids that stand twice. */
export function routesMistakes(value: unknown, env: Environment): Mistake[] {
  return itemsOf(valueAt(value, ['alerts'])).flatMap((route, index) => {
    const at: Path = ['alerts', index];
    return [
      ...(isMapping(route) ? channelMistakes(route, at) : []),
      ...webhookMistakes(value, [...at, 'webhook'], env),
      ...emailMistakes(value, [...at, 'email'], env),
      ...urlMistakes(value, [...at, 'alertmanager', 'url'], env),
      ...headerMistakes(value, [...at, 'alertmanager', 'headers'], env),
      ...issueMistakes(value, [...at, 'githubIssue'], env),
      ...commandMistakes(value, [...at, 'command'], env),
      ...durationMistakes(value, [...at, 'after']),
      ...durationMistakes(value, [...at, 'reminder']),
    ];
  });
}

function channelMistakes(route: unknown, at: Path): Mistake[] {
  const [first, ...more] = CHANNELS.filter((channel) => has(route, [channel]));
  if (first === undefined) return [mistake(at, { kind: 'one-key', values: CHANNELS })];
  return more.map((channel) => twoKeys([...at, channel], first));
}

function webhookMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const url = urlMistakes(value, [...at, 'url'], env);
  return [
    ...url,
    ...(url.length === 0 && valueAt(value, [...at, 'template']) === 'ntfy' ? topicMistakes(value, at, env) : []),
    ...expandedAt(value, [...at, 'secret'], env).mistakes,
    ...headerMistakes(value, [...at, 'headers'], env),
  ];
}

/** ntfy takes the topic from the end of the path. */
function topicMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const isGood = (text: string): boolean => /\/[\w-]{1,64}\/?$/.test(URL.parse(text)?.pathname ?? '');
  return textMistakes(value, [...at, 'url'], env, { kind: 'ntfy-topic', isGood });
}

function emailMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const to: Path = [...at, 'to'];
  const receivers = itemsOf(valueAt(value, to)).map((_, index): Path => [...to, index]);
  return [
    ...textMistakes(value, [...at, 'server'], env, { kind: 'mail-server', isGood: isMailServer }),
    ...[[...at, 'from'], to, ...receivers].flatMap((path) =>
      textMistakes(value, path, env, { kind: 'mail-address', isGood: (text) => MAIL.test(text.trim()) }),
    ),
  ];
}

function issueMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const isRepository = (text: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(text);
  return [
    ...textMistakes(value, [...at, 'repository'], env, { kind: 'repository', isGood: isRepository }),
    ...textMistakes(value, [...at, 'token'], env, { kind: 'header-value', isGood: isHeaderValue }),
    ...urlMistakes(value, [...at, 'api'], env),
  ];
}

function commandMistakes(value: unknown, at: Path, env: Environment): Mistake[] {
  const run: Path = [...at, 'run'];
  const words = itemsOf(valueAt(value, run)).map((_, index): Path => [...run, index]);
  const empty = valueAt(value, [...run, 0]) === '' ? [mistake([...run, 0], { kind: 'text' })] : [];
  return [
    ...empty,
    ...words.flatMap((path) => expandedAt(value, path, env).mistakes),
    ...durationMistakes(value, [...at, 'timeout']),
  ];
}

/** The mistake of a text that is not good once its variables are in it. */
export function textMistakes(
  value: unknown,
  path: Path,
  env: Environment,
  { kind, isGood }: { readonly kind: PlainKind; readonly isGood: (text: string) => boolean },
): Mistake[] {
  const { text, mistakes } = expandedAt(value, path, env);
  return text === undefined || isGood(text) ? mistakes : [mistake(path, { kind })];
}

/** Kinds of mistakes that say nothing but what is wanted. */
type PlainKind = 'ntfy-topic' | 'mail-server' | 'mail-address' | 'repository' | 'header-value' | 'listen';

function isMailServer(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}
