/** Pages from documents of the repository, which are written in English only. */
import type { Language } from '../../texts.ts';
import { readSource } from '../output.ts';
import { SITE_WORDS } from './words.ts';

const REPOSITORY = 'https://github.com/docvitals/docvitals/blob/main/';

/** Pages by their path below the folder of the language. */
export async function documentPages(language: Language): Promise<ReadonlyMap<string, string>> {
  const words = SITE_WORDS[language];
  const [architecture, changelog] = await Promise.all(['ARCHITECTURE.md', 'CHANGELOG.md'].map(readSource));
  const page = (text: string | undefined, title: string): string => {
    const [heading, notice] = [`# ${title}`, words.inEnglish === '' ? '' : `\n\n> ${words.inEnglish}`];
    return toRepository((text ?? '').replace(/^# .*/, () => heading + notice));
  };
  return new Map([
    ['architecture.md', page(architecture, words.architecture)],
    ['changelog.md', page(changelog, words.changelog)],
  ]);
}

/** Relative links lead to files of the repository. */
function toRepository(markdown: string): string {
  return markdown.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${REPOSITORY}$1)`);
}
