/** A page that reaches for this machine by WebRTC, whose packets pass no proxy. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { onTestFinished } from 'vitest';

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4');
const HOSTS = ['127.0.0.1', ...(own === undefined ? [] : [own.address])];

/** Counts the packets that arrive at any address of this machine. */
export async function listenForPackets() {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let packets = 0;
  socket.on('message', () => (packets += 1));
  await once(socket.bind(0), 'listening');
  return { port: socket.address().port, packets: () => packets };
}

/** By a server that is asked for the page's own address, and as if another visitor were there. */
export const reachingByWebRtc = (port: number): string => `
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
