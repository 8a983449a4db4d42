/** A SARIF log, and what tests look at in it. */
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';

/** Of RFC 3986, appendix A: characters, escapes, and no colon in the first segment without a scheme. */
const REFERENCE =
  /^(?:[a-z][a-z\d+.-]*:|(?![^/?#]*:))(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i;
export const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

// Draft 4 of JSON Schema; but for these two names, the schema has nothing that a later draft means otherwise.
const { $schema: _draft, id: _id, ...schema } = sarifSchema;
const validate = new Ajv({
  allErrors: true,
  strict: false,
  // A pattern of the schema has a bracket that is none of a set.
  unicodeRegExp: false,
  formats: {
    uri: (text: string) => REFERENCE.test(text) && SCHEME.test(text),
    'uri-reference': REFERENCE,
    'date-time': DATE_TIME,
  },
}).compile<SarifLog>(schema);

/** The log, if it fits the published schema of SARIF. */
export function logOf(text: string): SarifLog {
  const log: unknown = JSON.parse(text);
  if (validate(log)) return log;
  throw new Error(JSON.stringify(validate.errors?.slice(0, 5)));
}

export interface SarifLog {
  readonly runs: readonly [SarifRun];
}

export interface SarifRun {
  readonly tool: {
    readonly driver: { readonly rules: readonly SarifRule[]; readonly notifications: readonly SarifRule[] };
  };
  readonly language: string;
  readonly invocations: readonly [
    {
      readonly executionSuccessful: boolean;
      readonly startTimeUtc: string;
      readonly endTimeUtc: string;
      readonly toolExecutionNotifications: readonly { readonly descriptor: { readonly id: string } }[];
    },
  ];
  readonly results: readonly SarifResult[];
  readonly properties: { readonly leftOut?: number };
}

export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: string };
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly webResponse?: object;
  readonly properties: { readonly evidence: object };
}

export interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
    readonly region?: { readonly startLine: number; readonly startColumn: number };
  };
}
