/** The fault table as deployments: rows that are a changed file, and faults that only a real file server has. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodies } from '../faults/bodies.ts';
import { configuration } from '../faults/configuration.ts';
import { all, fail, FILES, row, warn } from '../faults/fault.ts';
import type { Fault, Outcome } from '../faults/fault.ts';

/** A row and the change to the deployed files that it stands for. */
export interface Deployment {
  readonly row: Fault;
  readonly change: (dir: string) => void;
}

/** Findings of a page that was read, to which the one about its media type is added. */
const ALSO_JUDGED = new Set(['no-content', 'parse-limit']);

/** Debian's nginx has no type for Markdown: a warning, besides whatever else is found in a page that could be read. */
function octetStream(outcome: Outcome | undefined): Outcome {
  if (outcome === undefined) return warn('media-type');
  const read = outcome.status === 'warn' || outcome.codes.some((code) => ALSO_JUDGED.has(code));
  return read ? { ...outcome, codes: [...outcome.codes, 'media-type'] } : outcome;
}

/** What a row's outcomes are behind this nginx: `try_files` answers index.html for Markdown and text that is missing. */
function behindNginx(expected: Fault['expected']): Fault['expected'] {
  const fallenBack = Object.entries(expected).map(([id, { status, codes }]): [string, Outcome] => [
    id,
    { status, codes: codes.map((code) => (code === 'not-found' ? 'spa-fallback' : code)) },
  ]);
  const outcomes = Object.fromEntries(fallenBack);
  return { ...outcomes, navigation: octetStream(outcomes['navigation']), home: octetStream(outcomes['home']) };
}

/** The rows of the table whose fault is nothing but the content of one file. */
export const CONTENTS: readonly Deployment[] = [...bodies, ...configuration].flatMap((fault) => {
  const [[path, reply] = ['', {}], ...others] = Object.entries(fault.serve.files ?? {});
  const { body, ...rest } = reply;
  const plain = others.length === 0 && Object.keys(rest).length === 0;
  if (!plain || body === undefined || typeof body === 'function') return [];
  const deployed = { ...fault, expected: behindNginx(fault.expected) };
  return [{ row: deployed, change: (dir: string): void => writeFileSync(join(dir, path), body) }];
});

const remove = (path: string) => (dir: string) => rmSync(join(dir, path));

function deployment(name: string, expected: Fault['expected'], change: (dir: string) => void): Deployment {
  return {
    row: row(name, {}, { navigation: octetStream(undefined), home: octetStream(undefined), ...expected }),
    change,
  };
}

/** Faults of files, folders and permissions. */
export const DEPLOYMENTS: readonly Deployment[] = [
  deployment('navigation.md was not deployed', { navigation: fail('spa-fallback') }, remove('navigation.md')),
  deployment('index.md was not deployed', { home: fail('spa-fallback') }, remove('index.md')),
  deployment('llms.txt was not deployed', { 'llms-txt': fail('spa-fallback') }, remove('llms.txt')),
  // The location for .json files has no try_files, and the exact one for index.html has none either.
  deployment('config.json was not deployed', { config: fail('not-found') }, remove('config.json')),
  deployment('index.html was not deployed', { bundle: fail('not-found') }, remove('index.html')),
  deployment('index.md was deployed as Index.md', { home: fail('letter-case') }, (dir) =>
    renameSync(join(dir, 'index.md'), join(dir, 'Index.md')),
  ),
  ...Object.entries(FILES).map(([id, path]) =>
    deployment(`${path} may not be read`, { [id]: fail('forbidden') }, (dir) => chmodSync(join(dir, path), 0)),
  ),
  deployment('navigation.md is a link to nothing', { navigation: fail('spa-fallback') }, (dir) => {
    rmSync(join(dir, 'navigation.md'));
    symlinkSync('../content/navigation.md', join(dir, 'navigation.md'));
  }),
  deployment('navigation.md is a folder', { navigation: fail('redirected') }, (dir) => {
    rmSync(join(dir, 'navigation.md'));
    mkdirSync(join(dir, 'navigation.md'));
  }),
  deployment('nothing was deployed', all(fail('not-found')), (dir) => {
    for (const path of Object.values(FILES)) rmSync(join(dir, path));
  }),
];
