/** The rows of the fault table that are the content of a file, on a real nginx: the verdict is that of the table. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expected, runRow, told } from './faults/verify.ts';
import { CONTENTS } from './hosts/deployments.ts';
import { nginxWanted, startNginx, type Nginx } from './hosts/nginx.ts';
import { deploy } from './hosts/serving.ts';

describe.runIf(nginxWanted())('nginx', () => {
  let dir = '';
  let nginx: Nginx | undefined;
  beforeEach(() => void (dir = deploy()));
  afterEach(async () => {
    await nginx?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(CONTENTS)('$row.name', async (deployment) => {
    deployment.change(dir);
    nginx = await startNginx(dir);
    expect(told(await runRow(deployment.row, nginx.url))).toEqual(expected(deployment.row));
  });
});
