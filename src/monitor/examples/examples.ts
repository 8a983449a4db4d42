/** Examples for the operation of a monitor: their names and files. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Its files, relative to this folder; each name is that which the file is written under. */
export const EXAMPLES = {
  'systemd-service': ['systemd/docvitals.service'],
  'systemd-timer': ['systemd/docvitals-once.service', 'systemd/docvitals-once.timer'],
  dockerfile: ['docker/Dockerfile'],
  'docker-compose': ['docker/compose.yaml'],
  'kubernetes-deployment': ['kubernetes/deployment.yaml'],
  'kubernetes-cronjob': ['kubernetes/cronjob.yaml'],
  prometheus: ['prometheus/prometheus.yml', 'prometheus/docvitals.rules.yml'],
  alertmanager: ['alertmanager/alertmanager.yml'],
  grafana: ['grafana/docvitals.json'],
  'postgres-roles': ['postgres/roles.sql'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly (keyof typeof EXAMPLES)[];

/** Reads the files of an example; their names are without folders. Rejects when the build has not packed them. */
export function readExample(example: keyof typeof EXAMPLES) {
  return Promise.all(
    EXAMPLES[example].map(async (file) => {
      return { name: path.basename(file), text: await readFile(new URL(file, packedFolder()), 'utf8') };
    }),
  );
}

/** This folder, or `dist/examples/` beside the bundled command. */
function packedFolder(): URL {
  return new URL(import.meta.url.endsWith('/examples/examples.ts') ? './' : './examples/', import.meta.url);
}
