/** Names of the files that screenshots are written to. Pure. */
import type { CheckResult } from '../check.ts';

export interface Screenshot {
  /** `home.jpg`, `guide-setup.jpg` */
  readonly name: string;
  readonly content: Uint8Array;
}

const LONGEST = 80;

export function screenshotsOf(checks: readonly Pick<CheckResult, 'rendered'>[]): readonly Screenshot[] {
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
