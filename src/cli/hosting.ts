import type { Flags } from './commands.ts';
import { hostConfiguration } from '../hosting/configuration.ts';
import { hostProductOf } from '../hosting/kinds.ts';
import type { ConfigurationRequest } from '../hosting/rules.ts';
import { siteUrlOf } from '../init/answers.ts';
import { writeErr, writeOut } from '../output.ts';
import { baseOf, hostOf } from '../project/arguments.ts';
import { UsageError } from '../project/usage-error.ts';
import { printedFiles, writeNewFiles } from './files.ts';

type HostingFlags = Flags<'hosting'>;

export async function hosting(given: string, flags: HostingFlags): Promise<number> {
  const { out, force } = flags;
  const { files, notes } = hostConfiguration(requestOf(given, flags));
  if (out !== undefined) {
    await writeNewFiles([...files, ...(notes === null ? [] : [notes])], out, force === true);
    return 0;
  }
  await writeOut(printedFiles(files));
  // The file itself may be going somewhere; notes on it must not go with it.
  if (notes !== null) await writeErr(notes.text);
  return 0;
}

function requestOf(given: string, { url: address, base, documented }: HostingFlags): ConfigurationRequest {
  const kind = hostOf(given, '<kind>');
  const improved = documented !== true;
  const named = hostProductOf(given);
  const product = named === null ? {} : { product: named };
  if (address === undefined) return { kind, base: base ?? '/', improved, ...product };
  if (base !== undefined) throw new UsageError((messages) => messages.exclusive('--url', '--base'));
  const url = new URL(siteUrlOf(address));
  return { kind, base: baseOf(url.pathname, '--url'), url, improved, ...product };
}
