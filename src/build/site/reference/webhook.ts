/** What a webhook receives: the notification of an incident that has just begun. */
import { createHmac } from 'node:crypto';
import { configSchema } from '../../config-schema.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import { alertsWords } from '../../../generated/locales/alerts.ts';
import { alertDocument, messageOf } from '../../../monitor/alerts/message.ts';
import type { Incident } from '../../../monitor/incident/incident.ts';
import { DEFAULT_WATCHING, type MonitoredSite } from '../../../monitor/settings.ts';
import { LANGUAGES, loadTexts, type Language } from '../../../texts.ts';
import { openApiIn } from './api.ts';
import { code, type Parts } from './markdown.ts';
import { fieldTable, type ObjectSchema } from './objects.ts';
import { fieldText, type Words } from './words.ts';

/** A Friday, at six in the evening. */
const SIX = Date.UTC(2026, 10, 20, 18);
const NOW = SIX + 55_000;

const SITE: MonitoredSite = {
  ...DEFAULT_WATCHING,
  id: 'docs',
  url: 'https://docs.example.com/',
  title: 'Documentation',
  tags: [],
  alerts: null,
  maintenance: [],
  checking: DEFAULT_CONFIG,
};

/** A deployment has left a trailing comma in the configuration. */
const INCIDENT: Incident = {
  id: 'docs-20261120T180054600',
  site: SITE.id,
  verdict: 'down',
  checks: ['config'],
  codes: ['trailing-comma'],
  startedAt: SIX + 40_600,
  detectedAt: SIX + 54_600,
  notifiedAt: null,
  recoveredAt: null,
  objectiveMs: SITE.objectiveMs,
  findings: [
    {
      check: 'config',
      code: 'trailing-comma',
      evidence: {},
      location: { path: 'config.json', line: 3, column: 25 },
      excerpt: { firstLine: 2, lines: ['  "title": "Tidewater",', '  "homePage": "index.md",', '}'] },
    },
  ],
  deploy: { version: '4f8bdbe', before: 'bf6d82a', seenAt: SIX + 50_600 },
  flapping: false,
  sameAs: null,
};

export async function webhookParts(words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const alert = { key: `${INCIDENT.id}:opened:ops`, event: 'opened', incident: INCIDENT, alsoSites: [] } as const;
  const message = messageOf(alert, { site: SITE, words: alertsWords(language), texts, now: NOW, page: null });
  const body = alertDocument(message, texts);
  const templates = configSchema.$defs?.['route']?.properties?.['webhook']?.properties?.['template']?.enum ?? [];
  const timestamp = String(NOW / 1_000);
  return {
    id: body.id,
    timestamp,
    signature: createHmac('sha256', 'example')
      .update(`${body.id}.${timestamp}.${JSON.stringify(body)}`)
      .digest('base64'),
    body: JSON.stringify(body, null, 2),
    fields: fieldTable(bodySchema(), { words, describe: (path) => fieldText(`Webhook.${path}`) }),
    templates: templates
      .filter((name) => name !== 'json')
      .map(code)
      .join(', '),
  };
}

/** The schema of what `alertDocument` returns: an incident and its findings are those of the API, with fewer fields. */
export function bodySchema(): ObjectSchema {
  const { Incident: incident = {}, Finding: finding = {} } = openApiIn('en').components.schemas;
  const { evidence: _evidence, ...ofFinding } = finding.properties ?? {};
  const text = { type: 'string' };
  const objectOf = (properties: NonNullable<ObjectSchema['properties']>, optional = ''): ObjectSchema => {
    const required = Object.keys(properties).filter((key) => key !== optional);
    return { type: 'object', properties, required, additionalProperties: false };
  };
  const properties = {
    id: text,
    event: { enum: ['opened', 'reminder', 'recovered'] },
    test: { const: true },
    site: objectOf({ id: text, url: { type: ['string', 'null'] } }),
    incident,
    findings: { type: 'array', items: objectOf({ ...ofFinding, problem: text, fix: text }) },
    language: { enum: LANGUAGES },
  };
  return objectOf(properties, 'test');
}
