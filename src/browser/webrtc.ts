/** Whether pages of a browser can send packets past the gate. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import { untilAborted } from '../http/timing.ts';

/** WebRTC opens no sockets of its own. Newer versions of Chromium know the first option only, older ones the second. */
export const PROXIED_WEBRTC = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** A browser that obeys them has no address to offer, and is done within 0.2 s; another one sends its packet as soon. */
const LONGEST_MS = 5_000;

/** Asks a STUN server on loopback for its address, as any page can. */
const ASK = `async (port) => {
  if (!globalThis.RTCPeerConnection) return;
  const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + port }] });
  connection.createDataChannel('');
  const gathered = new Promise((resolve) => {
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
  });
  await connection.setLocalDescription();
  await gathered;
}`;

/** Browsers that were tried in this process, by their file and version. */
const known = new Map<string, boolean>();

/** Tries it with a packet to this machine. Rejects where the browser ends. */
export async function keepsToGate(browser: Browser, file: string): Promise<boolean> {
  const key = `${browser.version()} ${file}`;
  const result = known.get(key) ?? !(await sendsPacket(browser));
  known.set(key, result);
  return result;
}

async function sendsPacket(browser: Browser): Promise<boolean> {
  const socket = createSocket('udp4');
  const context = await browser.newContext({ proxy: { server: 'socks5://127.0.0.1:9' } });
  try {
    await once(socket.bind(0, '127.0.0.1'), 'listening');
    const page = await context.newPage();
    const asked = page.evaluate(`(${ASK})(${socket.address().port})`).then(() => false);
    const arrived = once(socket, 'message').then(() => true);
    return await untilAborted(Promise.race([asked, arrived]), AbortSignal.timeout(LONGEST_MS)).catch(
      (error: unknown) => {
        if (browser.isConnected()) return false;
        throw error;
      },
    );
  } finally {
    socket.close();
    await context.close();
  }
}
