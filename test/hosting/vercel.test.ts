/** The generated `vercel.json` keeps to the schemas of the platform's own library. */
import type { GetRoutesProps } from '@vercel/routing-utils';
import routing from '@vercel/routing-utils';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { hostConfiguration } from '../../src/hosting/configuration.ts';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    routes: routing.routesSchema,
    rewrites: routing.rewritesSchema,
    cleanUrls: routing.cleanUrlsSchema,
    trailingSlash: routing.trailingSlashSchema,
  },
};

it.each(['/', '/docs/'])('vercel.json for %s is valid', (base) => {
  for (const improved of [false, true]) {
    const text = hostConfiguration({ kind: 'platform', base, improved }).files[0]?.text ?? '';
    const { $schema: _, ...settings } = JSON.parse(text) as GetRoutesProps & { readonly $schema: string };
    const ajv = new Ajv({ strict: false });
    ajv.validate(SCHEMA, settings);
    expect(ajv.errorsText()).toBe('No errors');
    // Vercel rejects other settings beside routes.
    expect('routes' in settings && Object.keys(settings).length > 1).toBe(false);
    expect(routing.getTransformedRoutes(settings).error).toBeNull();
  }
});
