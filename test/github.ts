/** As much of GitHub's REST API as comments and issues need, on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRest, Refused, type Rest, type RestOptions } from '../src/github/rest.ts';

/** A comment or an issue, as the API tells it. */
export interface Entry {
  readonly id: number;
  readonly number?: number;
  body: string;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
  title?: string;
  state?: string;
  state_reason?: string | null;
  labels?: readonly string[];
  readonly pull_request?: unknown;
  /** The issue or pull request that a comment is on. */
  readonly on?: number;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** What is answered instead of what the API would; `null`: nothing else. */
export type Refusal = (asked: Asked) => { status: number; message: string; headers?: Record<string, string> } | null;

export interface FakeGitHub {
  readonly url: string;
  readonly asked: Asked[];
  readonly issues: Entry[];
  readonly comments: Entry[];
  /** By the commit that they are the head of. */
  readonly pulls: Map<string, readonly unknown[]>;
  refuse: Refusal;
  /** Who asks; `null`: an app, which may not ask who it is. */
  user: string | null;
  /** The app that asks, where no person does. */
  app: string;
  stop(): Promise<void>;
}

const BOT = { login: 'github-actions[bot]', type: 'Bot' } as const;

/** Serves until it is stopped. */
export async function startGitHub(): Promise<FakeGitHub> {
  const github: FakeGitHub = {
    url: '',
    asked: [],
    issues: [],
    comments: [],
    pulls: new Map(),
    refuse: () => null,
    user: null,
    app: BOT.login,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = createServer((request, response) => void serve(github, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return Object.assign(github, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function serve(github: FakeGitHub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  const asked = {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization ?? '',
    body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  };
  github.asked.push(asked);
  const refused = github.refuse(asked);
  const {
    status,
    value,
    headers = {},
  } = refused === null
    ? answer(github, asked)
    : { status: refused.status, value: { message: refused.message }, headers: refused.headers };
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close', ...headers });
  response.end(JSON.stringify(value));
}

interface Answered {
  readonly status: number;
  readonly value: unknown;
  readonly headers?: Record<string, string> | undefined;
}

const NOT_FOUND = { status: 404, value: { message: 'Not Found' } };

/** A part of the API: what `path` has in its groups comes to `reply`. */
interface Route {
  readonly path: RegExp;
  reply(github: FakeGitHub, name: string, asked: Asked): Answered;
}

const ROUTES: readonly Route[] = [
  {
    path: /^\/user$/,
    reply: ({ user }) =>
      user === null
        ? { status: 403, value: { message: 'Resource not accessible by integration' } }
        : { status: 200, value: { login: user } },
  },
  {
    path: /^\/graphql$/,
    reply: ({ user, app }) => ({ status: 200, value: { data: { viewer: { login: user ?? app } } } }),
  },
  {
    path: /^\/repos\/octocat\/handbook\/commits\/(\w+)\/pulls$/,
    reply: ({ pulls }, commit, asked) => page(pulls.get(commit) ?? [], asked),
  },
  {
    path: /^\/repos\/octocat\/handbook\/issues\/comments\/(\d+)$/,
    reply: ({ comments }, id, { body }) => changed(comments, id, body),
  },
  {
    path: /^\/repos\/octocat\/handbook\/issues\/(\d+)\/comments$/,
    reply({ comments }, number, asked) {
      const on = Number(number);
      if (asked.method === 'POST') return created(comments, { body: String(asked.body?.['body']), on });
      return page(
        comments.filter((entry) => entry.on === on),
        asked,
      );
    },
  },
  {
    path: /^\/repos\/octocat\/handbook\/issues$/,
    reply(github, _, asked) {
      if (asked.method === 'POST') return createdIssue(github, asked.body ?? {});
      const label = queryOf(asked).get('labels');
      const listed = github.issues.filter(({ labels = [] }) => label === null || labels.includes(label));
      return page(listed.toReversed(), asked);
    },
  },
  {
    path: /^\/repos\/octocat\/handbook\/issues\/(\d+)$/,
    reply: ({ issues }, number, { body }) => changed(issues, number, body),
  },
];

function answer(github: FakeGitHub, asked: Asked): Answered {
  const [path = ''] = asked.path.split('?');
  const route = ROUTES.find((one) => one.path.test(path));
  return route?.reply(github, route.path.exec(path)?.[1] ?? '', asked) ?? NOT_FOUND;
}

function queryOf({ path }: Asked): URLSearchParams {
  return new URLSearchParams(path.split('?')[1]);
}

function page(all: readonly unknown[], asked: Asked): Answered {
  const query = queryOf(asked);
  const size = Number(query.get('per_page') ?? 30);
  const from = (Number(query.get('page') ?? 1) - 1) * size;
  return { status: 200, value: all.slice(from, from + size) };
}

function created(list: Entry[], rest: Omit<Entry, 'id' | 'user'>): Answered {
  const entry = { id: 1000 + list.length, user: BOT, ...rest };
  list.push(entry);
  return { status: 201, value: entry };
}

function createdIssue({ issues }: FakeGitHub, body: Readonly<Record<string, unknown>>): Answered {
  const number = issues.length + 1;
  return created(issues, {
    number,
    title: String(body['title']),
    body: String(body['body']),
    state: 'open',
    state_reason: null,
    labels: body['labels'] as readonly string[],
  });
}

function changed(list: Entry[], id: string, body: Asked['body']): Answered {
  const entry = list.find((one) => (one.number ?? one.id) === Number(id));
  if (entry === undefined) return NOT_FOUND;
  if (body?.['state'] === 'open') entry.state_reason = 'reopened';
  return { status: 200, value: Object.assign(entry, body) };
}

/** A client of it that never pauses, at a time shortly after 1970. */
export function restOf({ url }: FakeGitHub, options: Partial<RestOptions> = {}): Rest {
  return createRest({
    apiUrl: url,
    token: 'token',
    env: {},
    sleep: () => Promise.resolve(),
    now: () => 5000,
    signal: new AbortController().signal,
    ...options,
  });
}

/** What a promise resolves with, or why GitHub refused. */
export function resultOf<T>(promise: Promise<T>): Promise<object> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      const { problem, status, detail } = error;
      return { ok: false, problem, status, detail };
    },
  );
}

/** What was asked to be changed: method and path. */
export function written({ asked }: FakeGitHub): string[] {
  return asked
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/graphql'))
    .map(({ method, path }) => `${method} ${path}`);
}
