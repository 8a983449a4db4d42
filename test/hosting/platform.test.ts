/** The generated configuration through the platform's own routing library, and the preview, which has to answer alike. */
import { rmSync } from 'node:fs';
import type { GetRoutesProps } from '@vercel/routing-utils';
import routing from '@vercel/routing-utils';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostConfiguration } from '../../src/hosting/configuration.ts';
import { platformRoutes } from '../../src/hosting/platform-routes.ts';
import { startPreview, type Preview } from '../../src/hosting/preview.ts';
import type { HostRules } from '../../src/hosting/rules.ts';
import type { Told } from './ask.ts';
import { makePlatform, type Outcome } from './platform-phases.ts';
import { ROWS } from './requests.ts';
import { SITE, writeSite } from './site.ts';
import { send, variantsOf } from './variants.ts';

function configurationOf(rules: HostRules): GetRoutesProps {
  return JSON.parse(hostConfiguration(rules).files[0]?.text ?? '') as GetRoutesProps;
}

/** The routes are the library's concern; methods, conditions and ranges are not. */
const ROUTED = ROWS.filter(({ method, tag, headers = {} }) => {
  const isPlain = Object.keys(headers).every((name) => name === 'accept');
  return ['GET', 'HEAD'].includes(method ?? 'GET') && tag === undefined && isPlain;
});

/** The answer in the terms of an outcome. */
function seen(told: Told, expected: Outcome): object {
  if (told.status >= 300 && told.status < 400) {
    return { kind: 'redirect', status: told.status, location: told.headers['location'] };
  }
  if (told.status === 404) return { kind: 'missing' };
  const names = expected.kind === 'file' ? Object.keys(expected.headers) : [];
  const given = names.map((name) => [name, told.headers[name]?.replace(/, Accept-Encoding$/, '')]);
  return { kind: 'file', status: told.status, headers: Object.fromEntries(given), body: text(told.body) };
}

const text = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

function wanted(outcome: Outcome, base: string, method: string | undefined): object {
  if (outcome.kind !== 'file') return outcome;
  const body = method === 'HEAD' ? '' : SITE[outcome.path.slice(base.length - 1)];
  return { kind: 'file', status: 200, headers: outcome.headers, body };
}

describe.each(variantsOf('platform'))('$name', ({ rules }) => {
  const { base } = rules;
  const configuration = configurationOf(rules);
  const platform = makePlatform(configuration, new Set(Object.keys(SITE).map((path) => `${base}${path}`.slice(1))));
  let preview: Preview;
  let site: string;
  beforeAll(async () => {
    ({ site } = writeSite('/'));
    preview = await startPreview(site, rules, 0);
  });
  afterAll(async () => {
    await preview.close();
    rmSync(site, { recursive: true });
  });

  it('runs on the routes that the library makes of the configuration', () => {
    expect(platformRoutes(rules)).toEqual(routing.getTransformedRoutes(configuration).routes);
  });

  it('is what the platform takes', () => {
    const { $schema: _, ...settings } = configuration as Record<string, unknown>;
    const schema = {
      type: 'object',
      additionalProperties: false,
      properties: {
        routes: routing.routesSchema,
        rewrites: routing.rewritesSchema,
        cleanUrls: routing.cleanUrlsSchema,
        trailingSlash: routing.trailingSlashSchema,
      },
    };
    const ajv = new Ajv({ strict: false });
    ajv.validate(schema, settings);
    expect(ajv.errorsText()).toBe('No errors');
    // The platform allows no routes beside the high-level settings.
    expect('routes' in settings && Object.keys(settings).length > 1).toBe(false);
  });

  it.each(ROUTED)('$name: $method $target $headers', async (row) => {
    const outcome = platform(row.target.startsWith('/') ? row.target : `${base}${row.target}`, row.headers?.['accept']);
    const told = await send(preview.port, base, row);
    expect(seen(told, outcome)).toEqual(wanted(outcome, base, row.method));
  });
});
