/** What a webhook receives, from notifications of the incidents of the sample. */
import { createHmac } from 'node:crypto';
import { configSchema } from '../../config-schema.ts';
import { alertsWords } from '../../../generated/locales/alerts.ts';
import type { Alert } from '../../../monitor/alerts/alert.ts';
import { alertDocument, messageOf } from '../../../monitor/alerts/message.ts';
import { loadTexts, type Language } from '../../../texts.ts';
import { code, type Parts } from './markdown.ts';
import { fieldTable, type ObjectSchema } from './objects.ts';
import { SAMPLE_INCIDENT, SAMPLE_SITE, SIX, WHOLE_INCIDENT } from './sample.ts';
import { fieldText, type Words } from './words.ts';

const NOW = SIX + 55_000;

export async function webhookParts(words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const documentOf = (
    alert: Omit<Alert, 'key' | 'alsoSites'>,
    site: typeof SAMPLE_SITE | null,
  ): { readonly id: string } => {
    const key = `${alert.incident.id}:${alert.event}:ops`;
    const context = { site, words: alertsWords(language), texts, now: NOW, page: null };
    const message = messageOf({ ...alert, key, alsoSites: [] }, context);
    // As a receiver reads it.
    return JSON.parse(JSON.stringify(alertDocument(message, texts))) as { readonly id: string };
  };
  const opened = documentOf({ event: 'opened', incident: SAMPLE_INCIDENT }, SAMPLE_SITE);
  const recovered = documentOf({ event: 'recovered', incident: WHOLE_INCIDENT, test: true }, null);
  const templates = configSchema.$defs?.['route']?.properties?.['webhook']?.properties?.['template']?.enum ?? [];
  const { id } = opened;
  const timestamp = String(NOW / 1_000);
  return {
    id,
    timestamp,
    signature: createHmac('sha256', 'example')
      .update(`${id}.${timestamp}.${JSON.stringify(opened)}`)
      .digest('base64'),
    body: JSON.stringify(opened, null, 2),
    fields: fieldTable(schemaOf([opened, recovered]), {
      words,
      resolve: () => ({}),
      linkOf: () => undefined,
      describe: (path) => fieldText(`Webhook.${path}`),
    }),
    templates: templates
      .filter((name) => name !== 'json')
      .map(code)
      .join(', '),
  };
}

/** A schema of the examples of a value. A field that one of them lacks is optional. */
function schemaOf(examples: readonly unknown[]): ObjectSchema {
  const given = examples.filter((value) => value !== null);
  const isNullable = given.length < examples.length;
  if (typeof given[0] === 'boolean') return isNullable ? { type: ['boolean', 'null'] } : { const: true };
  const schema = schemaOfGiven(given);
  return isNullable ? { oneOf: [schema, { type: 'null' }] } : schema;
}

function schemaOfGiven(examples: readonly unknown[]): ObjectSchema {
  const [first] = examples;
  if (Array.isArray(first)) return { type: 'array', items: schemaOf(examples.flat()) };
  if (typeof first !== 'object') {
    const isTime = typeof first === 'string' && /^\d{4}-\d\d-\d\dT/.test(first);
    return isTime ? { type: 'string', format: 'date-time' } : { type: typeof first };
  }
  const objects = examples as readonly Readonly<Record<string, unknown>>[];
  const keys = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const properties = keys.map((key) => [key, schemaOf(objects.flatMap((one) => (key in one ? [one[key]] : [])))]);
  const required = keys.filter((key) => objects.every((one) => key in one));
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, ObjectSchema>, required };
}
