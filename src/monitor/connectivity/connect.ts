import net from 'node:net';
import type { Connect } from './connectivity.ts';

/** Opens a TCP connection to `host:port` (an IPv6 address in brackets) and closes it at once; sends nothing. */
export const connectTcp: Connect = (address, timeoutMs) =>
  new Promise((resolve) => {
    const at = address.lastIndexOf(':');
    const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1');
    const port = Number(address.slice(at + 1));
    if (host === '' || !(port > 0 && port < 65_536)) return resolve(false);
    const socket = net.connect({ host, port });
    const end = (reached: boolean) => (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(end(false), timeoutMs);
    socket.once('connect', end(true)).once('error', end(false));
  });
