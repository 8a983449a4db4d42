/** A generated site on a host: what faults are seeded into. */
import type { HostKind } from '../../src/site/host-product.ts';
import type { GeneratedSite } from './site.ts';

/** A request as host rules see it. */
export interface HostRequest {
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly rawPath: string;
  /** Percent-decoded, from the origin: `/docs/setup/first steps.md`. */
  readonly path: string;
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A response before and after content coding. `null` takes a header away. */
export interface HostReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body: Uint8Array;
}

/** What the host's rules found for a request. */
export interface Located {
  readonly status: number;
  /** The file that is sent, relative to the base; `null`: none. */
  readonly file: string | null;
  /** Where a redirect leads. */
  readonly location?: string;
  /** Whether the request's `Accept` had a say. */
  readonly negotiable?: boolean;
}

/** Every rule of a host that a fault may put out of order. */
export interface HostRules {
  readonly locate: (request: HostRequest, deployment: Deployment) => Located;
  /** Whether a request gets Markdown where both are to be had. */
  readonly wantsMarkdown: (request: HostRequest) => boolean;
  /** Whether negotiated responses carry `Vary: Accept`. */
  readonly variesByAccept: boolean;
  /** What is sent where no file is: the body and its type. */
  readonly notFoundPage: string;
  /** The media type of a file; `null`: none is sent. */
  readonly typeOf: (path: string) => string | null;
  /** `Cache-Control` and `Expires` of a file. */
  readonly caching: (path: string) => HostReply['headers'];
  /** `steady`: an ETag and a date that stay; `changing`: an ETag of its own for each response; `none`. */
  readonly validators: 'steady' | 'changing' | 'none';
  /** Whether a conditional request is answered with 304. */
  readonly conditional: boolean;
  /** Media types that are sent compressed. */
  readonly compressed: readonly string[];
  /** Whether compressed types carry `Vary: Accept-Encoding`. */
  readonly variesByEncoding: boolean;
  /** Whether a client that takes no coding gets one. */
  readonly forcesGzip: boolean;
  /** The last word on every response, before content coding. */
  readonly change: (request: HostRequest, reply: HostReply, deployment: Deployment) => HostReply;
  /** The same after content coding. */
  readonly finish: (request: HostRequest, reply: HostReply) => HostReply;
}

export interface Deployment {
  readonly kind: HostKind;
  readonly site: GeneratedSite;
  /** What is deployed, by path relative to the base. A copy of the site's files that faults may change. */
  readonly files: Map<string, string | Uint8Array>;
  /** What lies beside the base on the same origin, by path from the origin: `/robots.txt`. */
  readonly origin: Map<string, string | Uint8Array>;
  rules: HostRules;
}

export const text = (content: string | Uint8Array | undefined): string =>
  typeof content === 'string' ? content : Buffer.from(content ?? '').toString('utf8');
