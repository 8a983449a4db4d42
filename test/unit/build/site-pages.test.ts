/** The reference pages name everything that the code has, in each language, and are well-formed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SchemaNode } from '../../../src/config/define.ts';
import { createMetrics } from '../../../src/monitor/server/metrics.ts';
import { nodesOf, readGfm } from '../../reports/gfm.ts';
import { namesOf } from '../../server/exposition.ts';
import { viewOf } from '../../server/view.ts';
import { LANGUAGES, type Language } from '../../../src/locales/language.ts';
import { ROOT } from '../../../src/build/output.ts';
import { configSchema } from '../../../src/build/schemas.ts';
import { generatedPages } from '../../../src/build/site/build.ts';
import { programIn, statusesIn } from '../../../src/build/site/reference/cli.ts';
import { openApiIn, reportSchema } from '../../../src/build/site/reference/json-schema.ts';
import { catalogue, ownMetrics, withoutDefault } from '../../../src/build/site/reference/markdown.ts';

const NAMES = ['cli', 'configuration', 'action', 'json-report', 'webhook', 'api', 'metrics', 'exit-status'];

const pages = {} as Record<Language, ReadonlyMap<string, string>>;

beforeAll(async () => {
  for (const language of LANGUAGES) {
    const all = await generatedPages(language);
    pages[language] = new Map([...all].filter(([file]) => file.startsWith('reference/')));
  }
});

const textOf = (language: Language, name: string): string => pages[language].get(`reference/${name}.md`) ?? '';

/** The names that no page of a language has in code. */
function absent(name: string, wanted: readonly string[]): readonly string[] {
  return LANGUAGES.flatMap((language) => {
    const text = textOf(language, name);
    return wanted.filter((one) => !text.includes(`\`${one}\``)).map((one) => `${language}: ${one}`);
  });
}

/** The nodes of each page: parsing the long ones takes 0.1 s. */
const parsed = new Map<string, readonly Nodes[]>();

/** All nodes of a type. */
function nodesIn<Type extends Nodes['type']>(text: string, type: Type): readonly Extract<Nodes, { type: Type }>[] {
  const isWanted = (node: Nodes): node is Extract<Nodes, { type: Type }> => node.type === type;
  const nodes = parsed.get(text) ?? nodesOf(readGfm(text));
  parsed.set(text, nodes);
  return nodes.filter(isWanted);
}

describe('the reference pages', () => {
  it('are the same in each language', () => {
    for (const language of LANGUAGES) {
      expect([...pages[language].keys()]).toEqual(NAMES.map((name) => `reference/${name}.md`));
    }
  });

  it('have the same structure in each language', () => {
    const outline = (text: string): readonly (readonly number[])[] => [
      nodesIn(text, 'heading').map(({ depth }) => depth),
      nodesIn(text, 'table').map(({ children }) => children.length),
    ];
    for (const name of NAMES) {
      const english = outline(textOf('en', name));
      for (const language of ['ro', 'fr'] as const) expect(outline(textOf(language, name))).toEqual(english);
    }
  });

  it('have one title, unique headings, and tables whose rows have the cells of their head', () => {
    for (const language of LANGUAGES) {
      for (const [file, text] of pages[language]) {
        expect(nodesIn(text, 'heading').filter(({ depth }) => depth === 1)).toHaveLength(1);
        const anchors = headingAnchors(text);
        expect(new Set(nodesIn(text, 'heading').map(({ position }) => position?.start.line)).size).toBe(anchors.length);
        expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
        const tables = nodesIn(text, 'table');
        const uneven = tables.filter(({ children }) => new Set(children.map((row) => row.children.length)).size !== 1);
        expect(uneven.map(({ position }) => `${language} ${file}:${position?.start.line}`)).toEqual([]);
        // Without an empty line before it, a table would be a paragraph.
        expect(text.match(/^\| :---/gm) ?? []).toHaveLength(tables.length);
      }
    }
  });

  it('link to headings that exist', () => {
    for (const language of LANGUAGES) {
      const broken = [...pages[language]].flatMap(([file, text]) =>
        nodesIn(text, 'link')
          .map(({ url }) => url)
          .filter((url) => !url.startsWith('https:') && !url.startsWith('../'))
          .filter((url) => {
            const [target = '', anchor] = url.split('#');
            const other = target === '' ? text : pages[language].get(`reference/${target}`);
            return other === undefined || (anchor !== undefined && !headingAnchors(other).includes(anchor));
          })
          .map((url) => `${language} ${file}: ${url}`),
      );
      expect(broken).toEqual([]);
    }
  });
});

function headingAnchors(text: string): readonly string[] {
  const outsideCode = text.replaceAll(/^```[^]*?^```$/gm, '');
  // Each on its own: a number after the second of two equal ones would hide that they are equal.
  return [...outsideCode.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    new GithubSlugger().slug(heading.replaceAll('`', '')),
  );
}

describe('the pages name', () => {
  it('each command, argument and option', () => {
    const program = programIn('en');
    for (const language of LANGUAGES) {
      for (const command of program.commands) {
        expect(textOf(language, 'cli')).toContain(`\n## docvitals ${command.name()}\n`);
      }
    }
    const flags = [program, ...program.commands].flatMap(({ options }) => options.map((option) => option.flags));
    expect(absent('cli', flags)).toEqual([]);
  });

  it('each key of the configuration in the section of its mapping', () => {
    const keysIn = (node: SchemaNode): readonly string[] =>
      [node, ...(node.anyOf ?? []), ...(node.items === undefined ? [] : [node.items])].flatMap((one) =>
        Object.entries(one.properties ?? {}).flatMap(([key, child]) => [key, ...keysIn(child)]),
      );
    const all = [configSchema, ...Object.values(configSchema.$defs ?? {})].flatMap(keysIn);
    expect(all.length).toBeGreaterThan(100);
    expect(absent('configuration', all)).toEqual([]);
  });

  it('each input and output of the Action', () => {
    const action = parse(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Record<'inputs' | 'outputs', object>;
    expect(absent('action', [...Object.keys(action.inputs), ...Object.keys(action.outputs)])).toEqual([]);
  });

  it('each field of the report', () => {
    const fieldsIn = (node: unknown): readonly string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const { properties = {} } = node as { readonly properties?: object };
      return [...Object.keys(properties), ...Object.values(node).flatMap(fieldsIn)];
    };
    const text = textOf('en', 'json-report');
    const fields = fieldsIn(reportSchema);
    expect(fields.length).toBeGreaterThan(80);
    expect(fields.filter((field) => !new RegExp(`\`(?:[\\w.[\\]]+\\.)?${field}\``).test(text))).toEqual([]);
  });

  it('each metric that a running monitor prints', async () => {
    const names = namesOf(await createMetrics(viewOf())());
    expect(names).toContain('docvitals_incident_open');
    const printed = names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    expect(absent('metrics', [...printed, ...Object.keys(ownMetrics)])).toEqual([]);
  });

  it('each path and object of the API, and each field with what it means', () => {
    const { paths, components } = openApiIn('en');
    expect(
      absent('api', [...Object.keys(paths).map((one) => `GET ${one}`), ...Object.keys(components.schemas)]),
    ).toEqual([]);
    const rows = [...textOf('en', 'api').matchAll(/^\| `([\w.[\]]+)` \| .* \|\s*(.*?) \|$/gm)];
    expect(rows.filter(([, , about]) => about === '').map(([, field]) => field)).toEqual([]);
  });

  it('what a webhook receives, in the language of the page', () => {
    const { webhooks, components } = openApiIn('en');
    const { schema } = webhooks.notification.post.requestBody.content['application/json'];
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema, components });
    for (const language of LANGUAGES) {
      const [, json = ''] = /```json\n([^]*?)\n```/.exec(textOf(language, 'webhook')) ?? [];
      const body = JSON.parse(json) as object;
      expect(body).toMatchObject({ event: 'opened', language, incident: { rules: ['config/trailing-comma'] } });
      expect({ valid: fits(body), errors: fits.errors }).toEqual({ valid: true, errors: null });
    }
    expect(
      absent('webhook', [
        'idempotency-key',
        'webhook-signature',
        'incident.recoveryTimeObjectiveMet',
        'findings[].location.line',
      ]),
    ).toEqual([]);
    const rows = [...textOf('en', 'webhook').matchAll(/^\| `([\w.[\]]+)` \| .* \|\s*(.*?) \|$/gm)];
    expect(rows.filter(([, , about]) => about === '')).toEqual([]);
  });

  it('the exit statuses that the help of a command names', () => {
    for (const language of LANGUAGES) {
      const counts = programIn(language).commands.map((command) => statusesIn(command.description()).length);
      expect(counts).toEqual(programIn('en').commands.map((command) => statusesIn(command.description()).length));
      expect(textOf(language, 'exit-status')).not.toContain('``');
    }
    expect(statusesIn('Runs. Exit status: 0 stopped, 3 failed, or busy; with --once 0 healthy, 1 not.')).toEqual([
      ['0', 'stopped'],
      ['3', 'failed, or busy'],
      ['0', 'healthy (with --once)'],
      ['1', 'not (with --once)'],
    ]);
  });
});

describe('the texts', () => {
  const folder = path.join(import.meta.dirname, '../../../src/build/site/pages');
  const templates = readdirSync(path.join(folder, 'en'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  const FENCE = /^```[^]*?^```$/gm;
  const templateOf = (file: string, language: Language): string =>
    readFileSync(path.join(folder, language, file), 'utf8');
  const paragraphs = templates.flatMap((file) => {
    const [en = [], ro = [], fr = []] = LANGUAGES.map((language) =>
      templateOf(file, language).replaceAll(FENCE, '').split('\n'),
    );
    return en.map((line, index) => ({ en: line, ro: ro[index] ?? '', fr: fr[index] ?? '' }));
  });
  const entries = [...catalogue, ...paragraphs];

  it('have both translations, and none that nothing uses', async () => {
    const used = new Set<string>();
    await generatedPages('fr', used);
    expect(catalogue.map(({ en }) => en).filter((text) => !used.has(text))).toEqual([]);
    expect(entries.filter(({ en, ro, fr }) => !en !== !ro || !en !== !fr)).toEqual([]);
    expect(new Set(catalogue.map(({ en }) => en)).size).toBe(catalogue.length);
  });

  it('keep their code, links and defaults in translation', () => {
    const kept = (text: string) => ({
      code: (text.match(/`[^`]+`|--[a-z][a-z-]+|\{\w+\}/g) ?? []).toSorted(),
      links: (text.match(/\]\([^)]+\)/g) ?? []).toSorted(),
      hasDefault: withoutDefault(text).preset !== '',
    });
    for (const { en, ro, fr } of entries) {
      for (const text of [ro, fr]) expect({ text, ...kept(text) }).toEqual({ text, ...kept(en) });
    }
  });

  it('have the same blocks of code in each language', () => {
    for (const file of templates) {
      const [english, ...others] = LANGUAGES.map((language) => templateOf(file, language).match(FENCE));
      for (const other of others) expect(other).toEqual(english);
    }
  });

  it('have the spaces and the letters of the language', () => {
    const prose = (text: string): string => text.replaceAll(/`[^`]*`/g, '`');
    const wrong: readonly (readonly [Language, RegExp])[] = [
      ['en', / {2}|\u00A0/],
      ['ro', / {2}|\u00A0|[şţŞŢ]/],
      ['fr', /[\w`»] [:;?!»]|« |[a-zà-ÿ]'[a-zà-ÿ]|\w[;!?](?:\s|$)/],
    ];
    for (const [language, pattern] of wrong) {
      expect(entries.map((entry) => entry[language]).filter((text) => pattern.test(prose(text)))).toEqual([]);
    }
  });
});
