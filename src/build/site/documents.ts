/** Pages from documents of the repository, which are written in English only. */
import type { Language } from '../../texts.ts';
import { readSource } from '../output.ts';
import type { Words } from './reference/words.ts';

const REPOSITORY = 'https://github.com/docvitals/docvitals/blob/main/';

/** Pages by their path below the folder of the language. */
export async function documentPages(language: Language, words: Words): Promise<ReadonlyMap<string, string>> {
  const notice = words('This page is available only in English.');
  const page = async (file: string, title: string): Promise<string> => {
    const head = language === 'en' ? `# ${title}` : `# ${title}\n\n> ${notice}`;
    const text = (await readSource(file)).replace(/^# .*/, () => head);
    // Relative links lead to files of the repository.
    return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${REPOSITORY}$1)`);
  };
  return new Map([
    ['architecture.md', await page('ARCHITECTURE.md', words('Architecture'))],
    ['changelog.md', await page('CHANGELOG.md', words('Changelog'))],
  ]);
}
