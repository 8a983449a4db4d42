/** A server that a test answers byte by byte, several requests on a connection, and that counts its connections. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request as it came. */
export interface WireRequest {
  readonly method: string;
  /** The request target: a path, or a URL where it is asked as a proxy. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly socket: Socket;
  /** Of the connection, counted from 1. */
  readonly connection: number;
  /** Of the request on its connection, counted from 1. */
  readonly turn: number;
}

export interface WireServer {
  readonly url: string;
  /** What came, in order. */
  readonly requests: WireRequest[];
  /** How many connections were made. */
  readonly connections: () => number;
  /** How many are open now. */
  readonly open: () => number;
  readonly close: () => void;
}

export interface WireOptions {
  readonly tls?: TlsOptions;
  /** Called for each connection before anything is read from it. */
  readonly greet?: (socket: Socket) => void;
}

/** Listens on a free port of 127.0.0.1; `answer` is called when the header section of a request is whole. */
export async function serveWire(
  answer: (request: WireRequest) => void,
  { tls, greet }: WireOptions = {},
): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const requests: WireRequest[] = [];
  let connections = 0;
  const accept = (socket: Socket): void => {
    const connection = (connections += 1);
    let turn = 0;
    let head = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    greet?.(socket);
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end !== -1; end = head.indexOf('\r\n\r\n')) {
        turn += 1;
        const request = { ...parsed(head.slice(0, end)), socket, connection, turn };
        head = head.slice(end + 4);
        requests.push(request);
        answer(request);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function parsed(head: string): Pick<WireRequest, 'method' | 'target' | 'headers'> {
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const pairs = fields.map((field) => [field.split(':')[0]?.toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]);
  return { method, target, headers: Object.fromEntries(pairs) as Record<string, string> };
}

/** A whole response with a length. */
export function whole(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
