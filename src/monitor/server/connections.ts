import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the open connections of a server. Where there are too many, the oldest one that has no request in progress is
 * closed, otherwise the oldest one: a client that sends its request promptly is always served, however many connections
 * are held open by clients that send nothing or read nothing.
 */
export function limitConnections(server: Server, limit: number): void {
  /** Oldest first. */
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    if (idle.size + busy.size >= limit) {
      const [oldest] = idle.size > 0 ? idle : busy;
      oldest?.destroy();
    }
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    busy.add(socket);
    response.once('close', () => {
      if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    });
  });
}
