import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface RawRequest {
  readonly method?: string;
  /** As it goes into the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; values of repeated fields joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** Sends a request as written: the path is not normalised and redirects are not followed. */
export function ask(port: number, { method = 'GET', target, headers = {} }: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const fields = response.headersDistinct;
        const joined = Object.entries(fields).map(([name, values]) => [name, (values ?? []).join(', ')] as const);
        const whole = Buffer.concat(chunks);
        const isGzip = response.headers['content-encoding'] === 'gzip' && whole.length > 0;
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(joined),
          body: isGzip ? gunzipSync(whole) : whole,
        });
      });
    });
    sent.on('error', reject).end();
  });
}
