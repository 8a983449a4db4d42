/** Code on the pages that other programs read: Prometheus, a shell. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, wanted } from '../server/tools.ts';
import { blocks } from './pages.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'docvitals-programs-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(wanted('promtool'))('promtool accepts', () => {
  it.each([
    ['config', 'scrape_configs:'],
    ['rules', 'groups:'],
  ])('each %s', (kind, begin) => {
    const found = blocks('yml').filter((text) => text.startsWith(begin));
    expect(found).not.toEqual([]);
    for (const text of found) {
      const file = path.join(folder, `${kind}.yml`);
      writeFileSync(file, text);
      expect(run('promtool', ['check', kind, file])).toMatchObject({ status: 0 });
    }
  });
});

describe.runIf(wanted('shellcheck'))('shellcheck accepts', () => {
  it('each block for a shell', () => {
    const file = path.join(folder, 'blocks.sh');
    for (const text of blocks('bash')) {
      writeFileSync(file, `#!/bin/bash\n${text}`);
      expect(run('shellcheck', [file])).toMatchObject({ status: 0 });
    }
  });
});
