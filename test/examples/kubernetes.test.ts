/** The manifests, against Kubernetes' own schemas. */
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { at, documentsOf, type Mapping, type Value } from './files.ts';

const KINDS = { ConfigMap, CronJob, Deployment, PersistentVolumeClaim, Service } as const;
type Kind = keyof typeof KINDS;

const FILES = ['kubernetes/deployment.yaml', 'kubernetes/cronjob.yaml'] as const;
const all = FILES.flatMap((file) =>
  documentsOf(file).map((document) => ({ file, kind: document['kind'] as string, document })),
);
const only = (file: string, kind: string): Mapping => {
  const found = all.filter((one) => one.file === file && one.kind === kind);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} of ${kind} in ${file}`);
  return found[0].document;
};

/** A value that takes note of which of its members are checked. */
function watched(value: Value, path: string, seen: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value as Mapping, {
    get(target, key) {
      const inner = Reflect.get(target, key) as Value;
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return inner;
      seen.add(`${path}/${key}`);
      return watched(inner, `${path}/${key}`, seen);
    },
  });
}

function pathsIn(value: Value, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}/${key}`, ...pathsIn(inner, `${path}/${key}`)]);
}

/** Validates a document; returns the paths of members that the schema does not know, which a server would drop. */
function unknownIn(document: Mapping): readonly string[] {
  const kind = document['kind'] as Kind;
  const seen = new Set<string>();
  const model = new KINDS[kind](document as never);
  expect(model.apiVersion).toBe(document['apiVersion']);
  // The model itself, with members that take note.
  for (const [key, value] of Object.entries(document)) Object.assign(model, { [key]: watched(value, `/${key}`, seen) });
  model.validate();
  return pathsIn(document).filter((path) => path.lastIndexOf('/') > 0 && !seen.has(path));
}

describe('each manifest', () => {
  it.each(all)('$kind in $file is valid, and holds nothing that is not known', ({ document }) => {
    expect(unknownIn(document)).toEqual([]);
  });

  it.each<[name: string, change: (manifest: string) => string]>([
    ['a name that is misspelled', (text) => text.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem')],
    ['a member in the wrong place', (text) => text.replace('"replicas":1', '"replicaCount":1')],
  ])('would be found wrong with %s', (_, change) => {
    const text = JSON.stringify(only(FILES[0], 'Deployment'));
    expect(change(text)).not.toBe(text);
    expect(unknownIn(JSON.parse(change(text)) as Mapping)).toHaveLength(1);
  });

  it('would be found wrong with a number for a text', () => {
    const text = JSON.stringify(only(FILES[1], 'CronJob')).replace('"Forbid"', '7');
    expect(() => unknownIn(JSON.parse(text) as Mapping)).toThrow(/concurrencyPolicy/);
  });
});

it('the CronJob’s configuration says how often it comes, so that no site counts as unknown between two runs', () => {
  const written = at(only(FILES[1], 'ConfigMap'), 'data', 'docvitals.yaml') as string;
  expect((parse(written) as { monitor?: object }).monitor).toEqual({ every: '1m' });
  expect(at(only(FILES[1], 'CronJob'), 'spec', 'schedule')).toBe('* * * * *');
});

const podOf: Readonly<Record<(typeof FILES)[number], Value | undefined>> = {
  'kubernetes/deployment.yaml': at(only(FILES[0], 'Deployment'), 'spec', 'template'),
  'kubernetes/cronjob.yaml': at(only(FILES[1], 'CronJob'), 'spec', 'jobTemplate', 'spec', 'template'),
};

describe.each(FILES)('%s', (file) => {
  const pod = at(podOf[file], 'spec');
  const container = at(pod, 'containers', 0);
  const names = (list: Value | undefined): unknown => (list as readonly Mapping[]).map(({ name }) => name);

  it('has what it mounts', () => {
    const mounted = (at(container, 'volumeMounts') as readonly Mapping[]).map(({ name }) => name);
    expect(mounted).toEqual(names(at(pod, 'volumes')));
    expect([
      at(pod, 'volumes', 0, 'configMap', 'name'),
      at(pod, 'volumes', 1, 'persistentVolumeClaim', 'claimName'),
    ]).toEqual([
      at(only(file, 'ConfigMap'), 'metadata', 'name'),
      at(only(file, 'PersistentVolumeClaim'), 'metadata', 'name'),
    ]);
  });

  it('runs below the locations that it mounts', () => {
    const args = at(container, 'args') as readonly string[];
    const places = (at(container, 'volumeMounts') as readonly Mapping[]).map(({ mountPath }) => mountPath as string);
    for (const option of ['--config', '--database']) {
      const value = args[args.indexOf(option) + 1] ?? '';
      expect(places.some((place) => value.startsWith(`${place}/`))).toBe(true);
    }
    expect(args[args.indexOf('--config') + 1]).toBe('/etc/docvitals/docvitals.yaml');
    expect(Object.keys(at(only(file, 'ConfigMap'), 'data') as Mapping)).toEqual(['docvitals.yaml']);
  });

  // Pod Security Standards, level "restricted".
  it('is allowed where pods are restricted', () => {
    expect(at(pod, 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(at(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  });

  it('has bounds', () => {
    expect(at(container, 'resources')).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });
});

describe('one database has one monitor', () => {
  it('as a Deployment', () => {
    expect(at(only(FILES[0], 'Deployment'), 'spec')).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  });

  it('as a CronJob', () => {
    expect(at(only(FILES[1], 'CronJob'), 'spec')).toMatchObject({
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { backoffLimit: 0 } },
    });
  });
});

describe('the Deployment', () => {
  const template = podOf[FILES[0]];

  it('is found by its selector and its Service', () => {
    const labels = at(template, 'metadata', 'labels');
    expect(at(only(FILES[0], 'Deployment'), 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(at(only(FILES[0], 'Service'), 'spec', 'selector')).toEqual(labels);
  });

  it('is asked on the port that it listens on', () => {
    const container = at(template, 'spec', 'containers', 0);
    const args = at(container, 'args') as readonly string[];
    expect(args[args.indexOf('--listen') + 1]).toBe('0.0.0.0:9464');
    expect(at(container, 'ports')).toEqual([{ name: 'http', containerPort: 9464 }]);
    const asked = ['livenessProbe', 'readinessProbe'].map((probe) => at(container, probe, 'httpGet'));
    expect(asked).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    expect(at(only(FILES[0], 'Service'), 'spec', 'ports', 0)).toMatchObject({ port: 9464, targetPort: 'http' });
  });
});
