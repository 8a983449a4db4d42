/** The published schemas, for tests that hold real output against them. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { familiesOf, labelsOf } from './server/exposition.ts';

const read = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../dist/schema/${name}.json`, import.meta.url), 'utf8')) as object;

const FOLDER = 'https://cdn.jsdelivr.net/npm/docvitals@0/dist/schema/';

/** Formats are left out: ajv brings none. */
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const api = read('api') as { readonly paths: Readonly<Record<string, object>> };
ajv.addSchema(api, `${FOLDER}api.json`);
ajv.addSchema(read('report'));
ajv.addSchema(read('documents'));

type Document =
  | 'alerts'
  | 'alertTest'
  | 'drill'
  | 'explained'
  | 'explainedAll'
  | 'history'
  | 'incidents'
  | 'logLine'
  | 'maintenance'
  | 'maintenanceEnded'
  | 'maintenanceStarted'
  | 'manifest'
  | 'once'
  | 'status'
  | 'webhook';

/** Fails unless the JSON text fits the definition of `documents.json`. Returns its value. */
export function fitting(name: Document, text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const validate = ajv.getSchema(`${FOLDER}documents.json#/$defs/${name}`);
  if (validate === undefined) throw new Error(`documents.json has no ${name}`);
  void validate(value);
  expect({ document: name, errors: validate.errors }).toEqual({ document: name, errors: null });
  return value;
}

/** All paths of the API, such as `/api/v1/sites/{id}`. */
export const API_PATHS = Object.keys(api.paths);

/** The same for what `path` of the API, as `api.json` has it, returns. */
export function fittingApi(path: string, text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const pointer = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
  const validate = ajv.compile({
    $ref: `${FOLDER}api.json#/paths/${pointer}/get/responses/200/content/application~1json/schema`,
  });
  void validate(value);
  expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
  return value;
}

/** The list of metrics: each with its type (default: gauge) and labels. Those of the process are Node's. */
const METRICS = parse(readFileSync(new URL('../src/locales/metrics.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<string, { readonly type?: string; readonly labels?: readonly string[] }>
>;

/** Fails unless each metric is in the list, with its type, and has no labels but those and `all`. Returns the text. */
export function fittingMetrics(text: string, all: readonly string[] = []): string {
  const labels = labelsOf(text);
  const found = [...familiesOf(text)].flatMap(([name, about]) => {
    if (/^(?:process|nodejs)_/.test(name)) return [];
    const { type = 'gauge', labels: known = [] } = METRICS[name] ?? {};
    const strange = [...(labels.get(name) ?? [])].filter((label) => ![...known, ...all].includes(label));
    const isListed = name in METRICS && about.split(' ', 1)[0] === type;
    return isListed && strange.length === 0 ? [] : [{ name, type, about, strange }];
  });
  expect(found).toEqual([]);
  expect(labels.size).toBeGreaterThan(3);
  return text;
}
