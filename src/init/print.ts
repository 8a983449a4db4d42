/** The output of `docvitals init`. Pure. */
import { printable } from '../printable.ts';
import { textWidth } from '../text-width.ts';
import type { DetectedUrl, Project } from './detect.ts';
import type { ComparedFile } from './files.ts';
import type { Note, Plan } from './plan.ts';
import type { InitWords } from '../generated/locales/init.ts';

/** What was detected, a line each. */
export function detectedText({ site, hosts: [host], repository }: Project, words: InitWords): string {
  const remote = repository?.remote ?? null;
  const name = remote === null ? null : printable(`${remote.host}/${remote.owner}/${remote.name}`);
  const branch = repository?.branch ?? null;
  const lines = [
    words.foundSite(site === null ? null : printable(site.folder), site?.engine ?? null),
    words.foundHost(host?.provider ?? null, printable(host?.file ?? '')),
    repository === null
      ? words.outsideRepository
      : words.foundRepository(name, branch === null ? null : printable(branch)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The address of the site; `detected`: where it comes from, unless the user gave it. */
export function addressText(url: string, detected: Omit<DetectedUrl, 'url'> | null, words: InitWords): string {
  const origin = detected === null ? null : printable(detected.origin);
  const shown = origin !== null && detected?.isGuess === true ? words.guessed(origin) : origin;
  return `${words.address(printable(url), shown)}\n`;
}

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: Map<string, ComparedFile>;
}

const emptyBranch = (): Branch => ({ folders: new Map(), files: new Map() });

/** The files of a plan as a tree, each with its state. */
export function planText({ root }: Plan, files: readonly ComparedFile[], words: InitWords): string {
  const top = emptyBranch();
  for (const file of files) {
    const names = file.file.split('/');
    const name = names.pop() ?? '';
    let branch = top;
    for (const folder of names) {
      const next = branch.folders.get(folder) ?? emptyBranch();
      branch.folders.set(folder, next);
      branch = next;
    }
    branch.files.set(name, file);
  }
  const rows = rowsOf(top, '');
  const width = Math.max(0, ...rows.map(([row]) => textWidth(row)));
  const lines = rows.map(([row, file]) => {
    const state = file === null ? '' : `${' '.repeat(width - textWidth(row) + 2)}${words.states[file.state]}`;
    return `${row}${state}\n`;
  });
  const hint = files.some(({ state, isRival }) => state === 'exists' && isRival !== true) ? `${words.leftAlone}\n` : '';
  return `\n${words.planned(printable(root))}\n${lines.join('')}${hint}`;
}

/** The texts of the files to write, each below its name. */
export function contentText(files: readonly ComparedFile[]): string {
  const written = files.filter(({ state }) => state === 'new' || state === 'replaced');
  return written
    .map(({ file, text }) => `\n==> ${printable(file)} <==\n${text.split('\n').map(printable).join('\n')}`)
    .join('');
}

type Row = readonly [row: string, file: ComparedFile | null];

function rowsOf({ folders, files }: Branch, indent: string): readonly Row[] {
  const entries = [...folders, ...files];
  return entries.flatMap(([name, entry], index): readonly Row[] => {
    const isLast = index === entries.length - 1;
    const row = `${indent}${isLast ? '└─' : '├─'} ${printable(name)}`;
    if ('state' in entry) return [[row, entry]];
    return [[`${row}/`, null], ...rowsOf(entry, `${indent}${isLast ? '  ' : '│ '} `)];
  });
}

const FORGES = { gitlab: 'GitLab', other: null, none: null } as const;

export function notesText({ notes }: Plan, files: readonly ComparedFile[], command: string, words: InitWords): string {
  const explained = files.flatMap(({ file, state, explanation }) =>
    // Comments explain the other files.
    explanation !== undefined && (state === 'exists' || file.endsWith('.json'))
      ? [words.hosting(printable(file), printable(explanation))]
      : [],
  );
  return [...explained, ...notes.map((note) => noteText(note, command, words))].map((text) => `\n${text}\n`).join('');
}

function noteText(note: Note, command: string, words: InitWords): string {
  switch (note.kind) {
    case 'configured':
      return words.configured(printable(note.file));
    case 'paste':
      return `${words.paste(printable(note.file))}\n\n${note.text.trimEnd()}`;
    case 'command':
      return `${words.command(FORGES[note.forge])}\n  ${printable(note.command)}`;
    case 'no-hosting':
      return words.noHosting(printable(note.provider));
    case 'deployed-folder':
      return words.deployedFolder(printable(note.file), note.base === null ? null : printable(note.base));
    case 'workflow':
      return words.afterwards[note.workflow];
    case 'unreachable':
      return words.unreachable(printable(note.url), note.isWritten);
    case 'monitor':
      return note.isWanted ? words.monitor(note.command) : words.monitorOffer(note.command);
    case 'check':
    default:
      return words.next(command);
  }
}
