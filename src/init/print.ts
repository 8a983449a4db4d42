import { printable } from '../printable.ts';
import { textWidth } from '../text-width.ts';
import type { DetectedUrl, Project } from './detect.ts';
import type { ComparedFile } from './files.ts';
import type { Plan } from './plan.ts';
import type { InitWords } from '../generated/locales/init.ts';

export function detectedText({ site, hosts: [host], repository }: Project, words: InitWords): string {
  const remote = repository?.remote ?? null;
  const name = remote === null ? null : printable(`${remote.host}/${remote.owner}/${remote.name}`);
  const branch = repository?.branch ?? null;
  const lines = [
    ...siteLines(site, words),
    words.foundHost(host?.provider ?? null, printable(host?.file ?? '')),
    repository === null
      ? words.outsideRepository
      : words.foundRepository(name, branch === null ? null : printable(branch)),
  ];
  return `${lines.join('\n')}\n`;
}

function siteLines(site: Project['site'], words: InitWords): readonly string[] {
  if (site === null) return [words.foundSite(null, null)];
  const { folder, engine, otherVersions } = site;
  const others = otherVersions.map(printable).join(', ');
  return [words.foundSite(printable(folder), engine), ...(others === '' ? [] : [words.foundVersions(others)])];
}

export function addressText(url: string, detected: DetectedUrl | null, words: InitWords): string {
  const origin = detected === null ? null : printable(detected.origin);
  const shown = origin !== null && detected?.isGuess === true ? words.guessed(origin) : origin;
  return `${words.address(printable(url), shown)}\n`;
}

export function planText({ root }: Plan, files: readonly ComparedFile[], words: InitWords): string {
  const rows = rowsOf(files, 0, '');
  const width = Math.max(0, ...rows.map(([row]) => textWidth(row)));
  const lines = rows.map(([row, file]) => {
    const state = file === null ? '' : `${' '.repeat(width - textWidth(row) + 2)}${words.states[file.state]}`;
    return `${row}${state}\n`;
  });
  const hint = files.some(({ state, isRival }) => state === 'exists' && isRival !== true) ? `${words.leftAlone}\n` : '';
  return `\n${words.planned(printable(root))}\n${lines.join('')}${hint}`;
}

export function contentText(files: readonly ComparedFile[]): string {
  const written = files.filter(({ state }) => state === 'new' || state === 'replaced');
  return written
    .map(({ file, text }) => `\n==> ${printable(file)} <==\n${text.split('\n').map(printable).join('\n')}`)
    .join('');
}

type Row = readonly [row: string, file: ComparedFile | null];

/** The files at a depth of the tree, the folders first. */
function rowsOf(files: readonly ComparedFile[], depth: number, indent: string): readonly Row[] {
  const byName = [...Map.groupBy(files, ({ file }) => file.split('/')[depth] ?? '')];
  const entries = byName.map(([name, inside]) => {
    const own = inside.find(({ file }) => file.split('/').length === depth + 1) ?? null;
    return { name: printable(name), inside, own };
  });
  const sorted = entries.toSorted((one, other) => Number(one.own !== null) - Number(other.own !== null));
  return sorted.flatMap(({ name, inside, own }, index): readonly Row[] => {
    const isLast = index === sorted.length - 1;
    const row = `${indent}${isLast ? '└─' : '├─'} ${name}`;
    if (own !== null) return [[row, own]];
    return [[`${row}/`, null], ...rowsOf(inside, depth + 1, `${indent}${isLast ? '  ' : '│ '} `)];
  });
}

export function notesText({ notes }: Plan, files: readonly ComparedFile[], command: string, words: InitWords): string {
  const explained = files.flatMap(({ file, state, explanation }) =>
    // Comments explain the other files.
    explanation !== undefined && (state === 'exists' || file.endsWith('.json'))
      ? [words.hosting(printable(file), printable(explanation))]
      : [],
  );
  return [...explained, ...notes, words.next(command)].map((text) => `\n${text}\n`).join('');
}
