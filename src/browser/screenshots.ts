/** Writes the screenshots of a run as files. */
import path from 'node:path';
import type { CheckResult } from '../check.ts';
import { makeFolder } from '../make-folder.ts';
import { OutputError, writeFileWhole } from '../output.ts';

type Rendered = readonly Pick<CheckResult, 'rendered'>[];

interface Screenshot {
  /** `home.jpg`, `guide-setup.jpg` */
  readonly name: string;
  readonly content: Uint8Array;
}

const LONGEST = 80;

/** Resolves with the names of the files. Rejects with an `OutputError`. */
export async function writeScreenshots(checks: Rendered, folder: string): Promise<readonly string[]> {
  await makeFolder(folder).catch((error: unknown) => {
    throw new OutputError(folder, error);
  });
  const screenshots = screenshotsOf(checks);
  for (const { name, content } of screenshots) {
    await writeFileWhole(path.join(folder, name), content, { links: 'replace' });
  }
  return screenshots.map(({ name }) => name);
}

function screenshotsOf(checks: Rendered): readonly Screenshot[] {
  const known = new Map<string, number>();
  return checks.flatMap(({ rendered = [] }) =>
    rendered.flatMap(({ route, screenshot }): readonly Screenshot[] => {
      if (screenshot === null) return [];
      const plain = route.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
      const name = plain.toLowerCase().slice(0, LONGEST) || 'home';
      const count = (known.get(name) ?? 0) + 1;
      known.set(name, count);
      return [{ name: `${name}${count === 1 ? '' : `-${count}`}.jpg`, content: screenshot }];
    }),
  );
}
