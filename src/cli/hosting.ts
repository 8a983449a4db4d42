import type { Flags } from './commands.ts';
import { hostConfiguration } from '../hosting/configuration.ts';
import { hostProductOf, type ConfigurationRequest } from '../hosting/rules.ts';
import { siteUrlOf } from '../init/answers.ts';
import { writeErr, writeOut } from '../output.ts';
import { baseOf, hostOf, UsageError } from '../project/arguments.ts';
import { printedFiles, writeNewFiles } from './files.ts';

export async function hosting(given: string, flags: Flags<'hosting'>): Promise<void> {
  const { out, force } = flags;
  const { files, notes } = hostConfiguration(requestOf(given, flags));
  if (out !== undefined) {
    await writeNewFiles([...files, ...(notes === null ? [] : [notes])], out, force === true);
    return;
  }
  await writeOut(printedFiles(files));
  // The file itself may be going somewhere; notes on it must not go with it.
  if (notes !== null) await writeErr(notes.text);
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
