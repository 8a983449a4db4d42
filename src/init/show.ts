/** What `docvitals init` prints. Pure. */
import stringWidth from 'string-width';
import { printable } from '../printable.ts';
import type { Seen } from './look.ts';
import type { Note, Plan } from './plan.ts';
import type { ComparedFile } from './write.ts';
import type { InitWords } from './words/words.ts';

/** What was found and what was not, a line each. */
export function foundText({ site, hosts: [surest], repository }: Seen, words: InitWords): string {
  const remote = repository?.remote ?? null;
  const name = remote === null ? null : printable(`${remote.host}/${remote.owner}/${remote.name}`);
  const branch = repository?.branch ?? null;
  const lines = [
    words.foundSite(site === null ? null : printable(site.folder), site?.engine ?? null),
    words.foundHost(surest?.provider ?? null, printable(surest?.file ?? '')),
    repository === null
      ? words.outsideRepository
      : words.foundRepository(name, branch === null ? null : printable(branch)),
  ];
  return `${lines.join('\n')}\n`;
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
  const width = Math.max(0, ...rows.map(([row]) => stringWidth(row)));
  const lines = rows.map(([row, file]) => {
    const state = file === null ? '' : `${' '.repeat(width - stringWidth(row) + 2)}${words.states[file.state]}`;
    return `${row}${state}\n`;
  });
  const hint = files.some(({ state }) => state === 'exists') ? `${words.leftAlone}\n` : '';
  return `\n${words.planned(printable(root))}\n${lines.join('')}${hint}`;
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

/** What is left to do. */
export function notesText(notes: readonly Note[], command: string, words: InitWords): string {
  return notes.map((note) => `\n${noteText(note, command, words)}\n`).join('');
}

function noteText(note: Note, command: string, words: InitWords): string {
  switch (note.kind) {
    case 'configured':
      return words.configured(printable(note.file));
    case 'paste':
      return `${words.paste(printable(note.file))}\n\n${note.text.trimEnd()}`;
    case 'command':
      return `${words.command(FORGES[note.forge])}\n  ${printable(note.command)}`;
    case 'workflow':
      return words.afterwards[note.workflow];
    case 'check':
    default:
      return words.next(command);
  }
}
