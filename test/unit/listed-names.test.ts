/** Lists that are written by hand have what the code has: the engines of `ENGINE_NAMES`, the channels of `CHANNELS`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import queue from '../../src/monitor/fleet/queue.schema.json' with { type: 'json' };
import report from '../../src/report/report.schema.json' with { type: 'json' };
import { CHANNELS } from '../../src/monitor/alerts/channels/index.ts';
import { ENGINE_IDS, ENGINE_NAMES } from '../../src/engines/engine.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');

/** All enums of a schema that have an engine. */
function enumsOf(schema: unknown): readonly (readonly string[])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { enum: values } = schema as { readonly enum?: readonly string[] };
  const own = Array.isArray(values) && values.includes('generic') ? [values as readonly string[]] : [];
  return [...own, ...Object.values(schema).flatMap(enumsOf)];
}

/** The engines with a name of their own. */
const NAMED = Object.values(ENGINE_NAMES).filter((name) => name !== 'generic');

describe('the engines', () => {
  it('are those of the schemas', () => {
    for (const schema of [report, queue]) expect(enumsOf(schema)).toEqual([ENGINE_IDS]);
  });

  it('are those of the input of the Action, in three languages', () => {
    const { inputs } = parse(read('action.yml')) as { inputs: Record<string, { description: string }> };
    const texts = parse(read('src/build/site/reference/texts/action.yaml')) as Record<string, string>[];
    const { en = '', ro = '', fr = '' } = texts.find((text) => text['en'] === inputs['engine']?.description) ?? {};
    for (const text of [en, ro, fr]) {
      const [, list = ''] = /: (.*?)\./.exec(text) ?? [];
      expect(list.split(/, | or | sau | ou /)).toEqual(ENGINE_IDS);
    }
  });

  it.each(['README.md', 'docs/index.md', 'docs/ro/index.md', 'docs/fr/index.md'])('are named in %s', (page) => {
    const [introduction = ''] = read(page).split(/^## /m);
    expect(NAMED.filter((name) => !introduction.includes(name))).toEqual([]);
  });
});

describe('the channels', () => {
  it.each(['', 'ro/', 'fr/'])('are in the table of docs/%sguides/notifications.md', (language) => {
    const rows = [...read(`docs/${language}guides/notifications.md`).matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, key]) => key,
    );
    expect(rows).toEqual(expect.arrayContaining(CHANNELS.map(({ key }) => key)));
  });
});
