/**
 * What GitHub offers actions for artifacts: the results service and the store that it signs addresses of. (github.actions.
 * results.api.v1.ArtifactService as JSON over HTTP; block blobs.)
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { listen, type Host } from '../site/host.ts';
import { temporary } from './workspace.ts';

/** What the address for the upload is signed with: no log may show it. */
export const SIGNATURE = 'c2lnbmF0dXJlLW9mLXRoZS1zdG9yZQ';
const RUN = 'ce7f54c7-61c7-4aae-887f-30da475f5f1a';
const JOB = 'ca395085-040a-526b-2ce8-bdc85f692774';
/** A token as the runner has it: only its middle part is read. */
export const RUNTIME_TOKEN = `e30.${Buffer.from(JSON.stringify({ scp: `Actions.Results:${RUN}:${JOB}` })).toString('base64url')}.c2ln`;

export interface ArtifactService extends Host {
  /** What the runner sets for the Action. */
  readonly env: Readonly<Record<string, string>>;
  /** Whole artifacts, by name. */
  readonly artifacts: ReadonlyMap<string, Buffer>;
  /** Method and path of the requests so far, without queries. */
  readonly requests: readonly string[];
}

/** `respond`: an answer instead of the usual one; `'hang'`: none. */
export async function startArtifacts(
  respond: (request: string) => readonly [status: number, body: unknown] | 'hang' | null = () => null,
): Promise<ArtifactService> {
  const artifacts = new Map<string, Buffer>();
  const requests: string[] = [];
  const blocks = new Map<string, Buffer>();
  const blobs = new Map<string, Buffer>();

  function call(method: string, token: string | undefined, body: Record<string, string>): [number, unknown] {
    if (token !== `Bearer ${RUNTIME_TOKEN}` || body['workflow_run_backend_id'] !== RUN) return [401, { msg: 'who?' }];
    const { name = '' } = body;
    if (method === 'CreateArtifact') {
      if (artifacts.has(name)) return [409, { msg: 'an artifact with this name already exists on the workflow run' }];
      return [
        200,
        { ok: true, signed_upload_url: `${host.url}store/${encodeURIComponent(name)}?sig=${SIGNATURE}&se=2026-12-01` },
      ];
    }
    const blob = blobs.get(`/store/${encodeURIComponent(name)}`);
    const hash = `sha256:${createHash('sha256')
      .update(blob ?? '')
      .digest('hex')}`;
    if (blob === undefined || body['hash'] !== hash || Number(body['size']) !== blob.length)
      return [400, { msg: 'damaged' }];
    artifacts.set(name, blob);
    return [200, { ok: true, artifact_id: '4711' }];
  }

  /** Blocks, then their list; or the blob in one. */
  function store({ pathname, searchParams: query }: URL, body: Buffer): number {
    if (query.get('sig') !== SIGNATURE) return 403;
    if (query.get('comp') === 'block') blocks.set(`${pathname} ${query.get('blockid')}`, body);
    else if (query.get('comp') !== 'blocklist') blobs.set(pathname, body);
    else {
      const ids = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id = '']) => id);
      blobs.set(pathname, Buffer.concat(ids.map((id) => blocks.get(`${pathname} ${id}`) ?? Buffer.alloc(0))));
    }
    return 201;
  }

  const host = await listen((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://service.test');
      const named = `${request.method} ${url.pathname}`;
      requests.push(named);
      const body = await read(request);
      const given = respond(named);
      if (given === 'hang') return;
      if (given === null && url.pathname.startsWith('/store/')) {
        response.writeHead(store(url, body)).end();
        return;
      }
      const [status, answer] =
        given ??
        call(
          path.basename(url.pathname),
          request.headers.authorization,
          JSON.parse(body.toString()) as Record<string, string>,
        );
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  const env = {
    ACTIONS_RESULTS_URL: host.url,
    ACTIONS_RUNTIME_TOKEN: RUNTIME_TOKEN,
    GITHUB_SERVER_URL: 'https://github.com',
  };
  return { ...host, env, artifacts, requests };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Unpacks an artifact with the system's unzip, into a new folder. */
export function unzip(artifact: Buffer | undefined): string {
  const folder = temporary('artifact');
  writeFileSync(path.join(folder, 'artifact.zip'), artifact ?? '');
  execFileSync('unzip', ['-q', 'artifact.zip', '-d', 'files'], { cwd: folder });
  return path.join(folder, 'files');
}
