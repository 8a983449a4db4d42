/** A browser that sends packets of WebRTC. That pages cannot send any is in `options.test.ts`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chromiumFile, chromiumWanted } from '../hosts/chromium.ts';
import { browse, folderWith } from './browse.ts';
import { bundle, filesOf, serve } from './engines.ts';
import { listenForPackets, reachingByWebRtc } from './webrtc.ts';

it.runIf(chromiumWanted())(
  'a browser that sends packets of WebRTC all the same is unusable: no page is opened',
  { timeout: 120_000 },
  async () => {
    const { port, packets } = await listenForPackets();
    const index = bundle('VertiWiki', { head: `<script>${reachingByWebRtc(port)}</script>` });
    const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': index });
    const file = join(folderWith(''), 'chromium');
    const filter = 'for a do shift; case $a in *webrtc-ip*) ;; *) set -- "$@" "$a" ;; esac; done';
    writeFileSync(file, `#!/bin/sh\n${filter}\nexec ${chromiumFile() ?? ''} "$@"\n`, { mode: 0o755 });
    const { status, rendered } = await browse(url, ['--only', 'rendered', '--routes', '0', '--browser-path', file]);
    expect(status).toBe(3);
    expect(rendered.findings).toMatchObject([
      {
        rule: 'rendered/browser-failed',
        evidence: { error: 'its WebRTC sends packets to addresses that pages may not reach' },
      },
    ]);
    expect(packets()).toBe(0);
  },
);
