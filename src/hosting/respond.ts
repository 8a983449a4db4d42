import type { HostKind } from '../check.ts';
import type { HostRules } from './rules.ts';
import type { Files, HostRequest, HostResponse } from './exchange.ts';
import { respondAsPlatform } from './respond-platform.ts';
import { respondAsServer } from './respond-server.ts';
import { respondAsWorker } from './respond-worker.ts';

type Respond = (request: HostRequest, files: Files, rules: HostRules) => Promise<HostResponse>;

const HOSTS: Readonly<Record<HostKind, Respond>> = {
  server: respondAsServer,
  platform: respondAsPlatform,
  worker: respondAsWorker,
};

/**
 * What a host of this kind answers, as far as the site decides it: status, media type, negotiation, caching, validators,
 * compression, body. Reads `files` and nothing else.
 */
export async function respond(request: HostRequest, files: Files, rules: HostRules): Promise<HostResponse> {
  return HOSTS[rules.kind](request, files, rules);
}
