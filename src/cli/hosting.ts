import { env } from 'node:process';
import type { Flags } from './commands.ts';
import sections from '../generated/hosting-guide.json' with { type: 'json' };
import { hostConfiguration } from '../hosting/configuration.ts';
import {
  GUIDED_HOSTS,
  guidedHostOf,
  hostProductOf,
  type ConfigurationRequest,
  type GuidedHost,
} from '../hosting/rules.ts';
import { siteUrlOf } from '../init/answers.ts';
import { writeErr, writeOut } from '../text/output.ts';
import { baseOf, hostOf, UsageError } from '../options/arguments.ts';
import { pickLanguage } from '../locales/language.ts';
import { printedFiles, writeNewFiles } from './files.ts';

export async function hosting(given: string, flags: Flags<'hosting'>): Promise<void> {
  const { out, force } = flags;
  const guided = guidedHostOf(given);
  const { files, notes } = guided === null ? hostConfiguration(requestOf(given, flags)) : hostSection(guided, flags);
  if (out !== undefined) {
    await writeNewFiles([...files, ...(notes === null ? [] : [notes])], out, force === true);
    return;
  }
  await writeOut(printedFiles(files));
  // The file itself may be going somewhere; notes on it must not go with it.
  if (notes !== null) await writeErr(notes.text);
}

/** The section of the hosting guide on a host, with the address of the site. */
function hostSection(name: GuidedHost, flags: Flags<'hosting'>) {
  const other = (['base', 'documented', 'snippet'] as const).find((flag) => flags[flag] !== undefined);
  if (other !== undefined) throw new UsageError((messages) => messages.exclusive(name, `--${other}`));
  const url = flags.url === undefined ? null : new URL(siteUrlOf(flags.url));
  const language = pickLanguage({ flag: flags.lang, config: undefined, env });
  const { section } = GUIDED_HOSTS[name];
  // Only its host: the redirect of a whole server has no path.
  const text = sections[language][section].replaceAll('docs.example.com', url?.host ?? '$&');
  return { files: [{ name: `${name}.md`, text }], notes: null };
}

function requestOf(given: string, flags: Flags<'hosting'>): ConfigurationRequest {
  const { snippet = false, ...rest } = flags;
  const request = { ...siteOf(given, rest), snippet };
  if (snippet && (request.kind !== 'server' || request.base === '/')) {
    throw new UsageError((messages) => messages.snippetNeedsPath());
  }
  return request;
}

function siteOf(given: string, { url: address, base, documented }: Flags<'hosting'>): ConfigurationRequest {
  const kind = hostOf(given, '<kind>');
  const request = { kind, product: hostProductOf(given), improved: documented !== true };
  if (address === undefined) return { ...request, base: base ?? '/' };
  if (base !== undefined) throw new UsageError((messages) => messages.exclusive('--url', '--base'));
  const url = new URL(siteUrlOf(address));
  return { ...request, base: baseOf(url.pathname, '--url'), url };
}
