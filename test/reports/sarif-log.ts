/** What tests look at in a SARIF log. */
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
