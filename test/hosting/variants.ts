import type { HostKind } from '../../src/check.ts';
import type { HostRules } from '../../src/hosting/rules.ts';
import { ask, type Told } from './ask.ts';
import type { Row } from './requests.ts';

/** The rules under which a kind of host is compared. */
export function variantsOf(kind: HostKind): readonly { readonly name: string; readonly rules: HostRules }[] {
  return ['/', '/docs/'].flatMap((base) =>
    [false, true].map((improved) => ({
      name: `${kind} at ${base}, ${improved ? 'improved' : 'as documented'}`,
      rules: { kind, base, improved },
    })),
  );
}

/** Sends a row; where it repeats the file's tag, that one is asked for first. */
export async function send(port: number, base: string, { target, tag, ...row }: Row): Promise<Told> {
  const path = target.startsWith('/') ? target : `${base}${target}`;
  if (tag === undefined) return ask(port, { ...row, target: path });
  const own = (await ask(port, { target: path })).headers['etag'] ?? '';
  return ask(port, { ...row, target: path, headers: { ...row.headers, [tag.header]: tag.as(own) } });
}
