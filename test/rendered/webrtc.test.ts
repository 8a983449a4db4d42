/** A page that reaches for this machine by WebRTC, whose packets pass no proxy. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumFile, chromiumWanted } from '../hosts/chromium.ts';
import { browse, folderWith } from './browse.ts';
import { bundle, filesOf, serve } from './engines.ts';

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4');
const HOSTS = ['127.0.0.1', ...(own === undefined ? [] : [own.address])];

/** Counts the packets that arrive at any address of this machine. */
async function listener() {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let packets = 0;
  socket.on('message', () => (packets += 1));
  await once(socket.bind(0), 'listening');
  return { port: socket.address().port, packets: () => packets };
}

/** By a server that is asked for the page's own address, and as if another visitor were there. */
const reaching = (port: number): string => `
  const hosts = ${JSON.stringify(HOSTS)};
  const one = new RTCPeerConnection({ iceServers: hosts.map((host) => ({ urls: 'stun:' + host + ':${port}' })) });
  const other = new RTCPeerConnection();
  one.createDataChannel('');
  (async () => {
    await one.setLocalDescription();
    await other.setRemoteDescription(one.localDescription);
    await other.setLocalDescription();
    const lines = other.localDescription.sdp.split('\\r\\n').filter((line) => !line.startsWith('a=candidate'));
    const candidates = hosts.map((host) => 'a=candidate:1 1 udp 2130706431 ' + host + ' ${port} typ host\\r\\n');
    await one.setRemoteDescription({ type: 'answer', sdp: lines.join('\\r\\n') + candidates.join('') });
  })();`;

async function site(port: number): Promise<string> {
  const index = bundle('VertiWiki', { head: `<script>${reaching(port)}</script>` });
  return (await serve({ ...filesOf('VertiWiki'), 'index.html': index })).url;
}

describe.runIf(chromiumWanted())('packets of WebRTC', { timeout: 120_000 }, () => {
  const ARGS = ['--only', 'rendered', '--routes', '0'];

  it('do not leave the browser', async () => {
    const { port, packets } = await listener();
    const { status, rendered } = await browse(await site(port), ARGS);
    expect({ status, findings: rendered.findings }).toEqual({ status: 0, findings: [] });
    expect(packets()).toBe(0);
  });

  it('make a browser that sends them all the same unusable: no page is opened', async () => {
    const { port, packets } = await listener();
    const file = join(folderWith(''), 'chromium');
    const filter = 'for a do shift; case $a in *webrtc-ip*) ;; *) set -- "$@" "$a" ;; esac; done';
    writeFileSync(file, `#!/bin/sh\n${filter}\nexec ${chromiumFile() ?? ''} "$@"\n`, { mode: 0o755 });
    const { status, rendered } = await browse(await site(port), [...ARGS, '--browser-path', file]);
    expect(status).toBe(3);
    expect(rendered.findings).toMatchObject([
      { code: 'browser-failed', evidence: { error: 'its WebRTC sends packets to addresses that pages may not reach' } },
    ]);
    expect(packets()).toBe(0);
  });
});
