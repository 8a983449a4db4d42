/** What hosts answer to agents. */
import type { Deployment, HostRequest, Located } from '../deployment.ts';
import { asksForMarkdown, belowBase, healthyRules, prefersMarkdown } from '../host-rules.ts';
import { append, change, changeHeaders, fault, NOT_SERVER, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { kinds: NOT_SERVER, site: { languages: ['en'], pages: 12, depth: 2 } };

const FILE_SYSTEM_FIRST = { negotiation: ['filesystem-first'] };

type Locate = (request: HostRequest, deployment: Deployment) => Located;

/** A rule of the host is changed; `healthy` is the rule as it should be. */
function located(deployment: Deployment, changed: (healthy: Locate) => Locate): void {
  const { locate } = healthyRules(deployment.kind);
  change(deployment, { locate: changed(locate) });
}

/** The Markdown of a folder that a request names, where the site has one. */
function markdownOf(request: HostRequest, deployment: Deployment): string | null {
  const path = belowBase(request, deployment);
  if (path === null || path.endsWith('.md')) return null;
  const file = path === '' || path.endsWith('/') ? `${path}index.md` : `${path}/index.md`;
  return deployment.files.has(file) ? file : null;
}

/** A change of what the host answers to agents. */
function negotiating(name: string, code: string, changed: (healthy: Locate) => Locate): Fault {
  return fault(name, { negotiation: [code] }, (deployment) => located(deployment, changed), SMALL);
}

export const NEGOTIATION_FAULTS: readonly Fault[] = [
  fault(
    'agents get no Markdown',
    { negotiation: ['not-negotiated'] },
    (deployment) => change(deployment, { wantsMarkdown: () => false }),
    { ...SMALL, hides: FILE_SYSTEM_FIRST },
  ),
  negotiating("agents get the home page's Markdown for every page", 'wrong-markdown', (healthy) => (request, of) => {
    const found = healthy(request, of);
    return found.file?.endsWith('/index.md') === true && found.negotiable === true
      ? { ...found, file: 'index.md' }
      : found;
  }),
  negotiating('browsers get Markdown', 'html-not-served', (healthy) => (request, of) => {
    const file = markdownOf(request, of);
    return file === null || file === 'index.md' ? healthy(request, of) : { status: 200, file, negotiable: true };
  }),
  fault(
    '*/* gets Markdown',
    { negotiation: ['html-not-served'] },
    (deployment) => {
      const { wantsMarkdown } = deployment.rules;
      const any = ({ headers: { accept = '*/*' } }: HostRequest): boolean => accept === '*/*';
      change(deployment, { wantsMarkdown: (request) => any(request) || wantsMarkdown(request) });
    },
    SMALL,
  ),
  fault(
    'weights are not read',
    { negotiation: ['q-values-ignored'] },
    (deployment) => change(deployment, { wantsMarkdown: asksForMarkdown }),
    SMALL,
  ),
  fault(
    'only the type alone is understood',
    { negotiation: ['not-negotiated'] },
    (deployment) => change(deployment, { wantsMarkdown: ({ headers }) => headers['accept'] === 'text/markdown' }),
    SMALL,
  ),
  fault(
    'HEAD does not negotiate',
    { negotiation: ['head-differs'] },
    (deployment) =>
      change(deployment, { wantsMarkdown: (request) => request.method !== 'HEAD' && prefersMarkdown(request) }),
    SMALL,
  ),
  fault(
    'no Vary: Accept',
    { negotiation: ['vary-missing'] },
    (deployment) => change(deployment, { variesByAccept: false }),
    SMALL,
  ),
  fault(
    'a query ends the negotiation',
    { negotiation: ['not-negotiated'] },
    (deployment) =>
      change(deployment, { wantsMarkdown: (request) => request.query === '' && prefersMarkdown(request) }),
    SMALL,
  ),
  fault(
    'paths without a slash do not negotiate',
    { negotiation: ['not-negotiated'] },
    (deployment) =>
      change(deployment, { wantsMarkdown: (request) => request.path.endsWith('/') && prefersMarkdown(request) }),
    { ...SMALL, kinds: ['worker'] },
  ),
  negotiating("pages get the bundle's HTML where agents ask for .md", 'md-path-changed', (healthy) => (request, of) => {
    const changed = request.path.endsWith('.md') && asksForMarkdown(request);
    return changed ? { status: 200, file: 'index.html', negotiable: true } : healthy(request, of);
  }),
  fault(
    'validators of one variant for the other',
    { negotiation: ['cache-mixes-variants'] },
    (deployment) => {
      const { change: before } = deployment.rules;
      change(deployment, {
        change: (request, reply, of) => {
          const as = before(request, reply, of);
          const page = as.status === 200 && request.path.endsWith('/');
          return page ? { ...as, headers: { ...as.headers, etag: '"same"', 'last-modified': null } } : as;
        },
      });
    },
    { ...SMALL, kinds: ['worker'] },
  ),
  fault(
    'Markdown is sent as HTML to agents',
    { negotiation: ['wrong-type'] },
    (deployment) => {
      changeHeaders(
        deployment,
        { 'content-type': 'text/html; charset=utf-8' },
        (request, reply) =>
          String(reply.headers['content-type']).startsWith('text/markdown') && !request.path.endsWith('.md'),
      );
    },
    SMALL,
  ),
  fault(
    'agents get Markdown without its first heading',
    { negotiation: ['wrong-markdown'] },
    (deployment) => {
      const { change: before } = deployment.rules;
      change(deployment, {
        change: (request, reply, of) => {
          const as = before(request, reply, of);
          const negotiated =
            String(as.headers['content-type']).startsWith('text/markdown') && !request.path.endsWith('.md');
          return negotiated
            ? {
                ...as,
                body: Buffer.from(
                  Buffer.from(as.body)
                    .toString('utf8')
                    .replace(/^# .*\n/m, ''),
                ),
              }
            : as;
        },
      });
    },
    SMALL,
  ),
  fault(
    'a cache that mixes the variants',
    { negotiation: ['cache-mixes-variants'] },
    (deployment) => {
      const kept = new Map<string, Located>();
      located(deployment, (healthy) => (request, of) => {
        const found = kept.get(request.rawPath + request.query) ?? healthy(request, of);
        if (found.negotiable === true) kept.set(request.rawPath + request.query, found);
        return found;
      });
      changeHeaders(deployment, { age: '12' }, ({ rawPath, query }) => kept.has(rawPath + query));
    },
    SMALL,
  ),
  fault(
    'a folder with a dot in its name',
    { negotiation: ['filesystem-first'] },
    (deployment) => {
      deployment.files.set('v2.0/index.md', `# Second\n\n${'The lamp has a new lens. '.repeat(60)}\n`);
      append(deployment, 'index.md', '[Second](#/v2.0/)');
    },
    { ...SMALL, kinds: ['platform'] },
  ),
  fault(
    'no base without its slash',
    { negotiation: ['base-without-slash'] },
    (deployment) => {
      located(
        deployment,
        (healthy) => (request, of) =>
          `${request.rawPath}/` === of.site.options.base ? { status: 404, file: null } : healthy(request, of),
      );
    },
    { kinds: ['platform'], site: { ...SMALL.site, base: '/docs/' } },
  ),
  fault(
    'no root for browsers',
    { negotiation: ['root-missing'] },
    (deployment) => {
      located(
        deployment,
        (healthy) => (request, of) =>
          request.rawPath === of.site.options.base && !prefersMarkdown(request)
            ? { status: 404, file: null, negotiable: true }
            : healthy(request, of),
      );
    },
    { ...SMALL, kinds: ['worker'] },
  ),
];
