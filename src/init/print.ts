import { printable } from '../printable.ts';
import { table } from '../text-width.ts';
import type { DetectedUrl, Project } from './detect.ts';
import { isWritten, type ComparedFile } from './files.ts';
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
  const lines = table(files.map(({ file, state }) => [`  ${printable(file)}`, words.states[state]]));
  const hint = files.some(({ state, isRival }) => state === 'exists' && isRival !== true) ? `${words.leftAlone}\n` : '';
  return `\n${words.planned(printable(root))}\n${lines}${hint}`;
}

export function contentText(files: readonly ComparedFile[]): string {
  return files
    .filter(isWritten)
    .map(({ file, text }) => `\n==> ${printable(file)} <==\n${text.split('\n').map(printable).join('\n')}`)
    .join('');
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
