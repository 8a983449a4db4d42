import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Asked {
  readonly method?: string;
  /** As it goes into the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  /** Names in lower case; values of repeated fields joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** Sends a request as it is written: no path is made tidy on the way, no redirect followed. */
export function ask(port: number, { method = 'GET', target, headers = {} }: Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const fields = response.headersDistinct;
        const told = Object.entries(fields).map(([name, values]) => [name, (values ?? []).join(', ')] as const);
        const whole = Buffer.concat(chunks);
        const isGzip = response.headers['content-encoding'] === 'gzip' && whole.length > 0;
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(told),
          body: isGzip ? gunzipSync(whole) : whole,
        });
      });
    });
    sent.on('error', reject).end();
  });
}
