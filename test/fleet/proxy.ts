/** A TCP proxy on loopback: the address that stays when a database is failed over to another server. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  readonly port: number;
  /** Ends all connections; new ones go to that port, `null`: nowhere. */
  switchTo(port: number | null): void;
  /** Forwards nothing any more, in either direction, and ends no connection; `false`: forwards again. */
  silence(isSilent: boolean): void;
  close(): Promise<void>;
}

export async function startProxy(): Promise<Proxy> {
  let target: number | null = null;
  let isSilenced = false;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (data) => void to.write(data)).on('end', () => to.end());
    if (isSilenced) from.pause();
  };
  const server = createServer((client) => {
    if (target === null) {
      client.destroy();
      return;
    }
    const upstream = keep(connect(target, '127.0.0.1'));
    forward(keep(client), upstream);
    forward(upstream, client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    switchTo(port) {
      target = port;
      cut();
    },
    silence(isSilent) {
      isSilenced = isSilent;
      for (const socket of sockets) {
        if (isSilent) socket.pause();
        else socket.resume();
      }
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
