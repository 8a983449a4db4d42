import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Files, HostResponse } from './exchange.ts';
import { folderFiles } from './folder.ts';
import { respond } from './respond.ts';
import type { HostRules } from './rules.ts';

/** Previews are for this machine only. */
const ADDRESS = '127.0.0.1';

export interface Preview {
  /** Where the site is; ends with a slash. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a folder by the rules of a host. `port` 0 takes any that is free. Rejects with the system's error. */
export function startPreview(folder: string, rules: HostRules, port: number): Promise<Preview> {
  const files = folderFiles(folder, rules.base);
  const server = createServer((request, response) => void answer(request, response, files, rules));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, () => {
      // Later, one connection that fails is no reason to end the others.
      server.on('error', () => {});
      const taken = (server.address() as AddressInfo).port;
      resolve({
        url: `http://${ADDRESS}:${taken}${rules.base}`,
        port: taken,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: Files,
  rules: HostRules,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  // The body is of no interest, but has to be out of the way of the next request.
  request.resume();
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct)) headers[name] = values.join(', ');
  const asked = { method, target: url, receivedAt: new Date(), headers };
  const told = await respond(asked, files, rules).catch((): HostResponse => ({
    status: 500,
    headers: [['Content-Length', '0']],
    body: new Uint8Array(),
  }));
  response.writeHead(
    told.status,
    told.headers.flatMap(([name, value]) => [name, value]),
  );
  response.end(told.body);
}
