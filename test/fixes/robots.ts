/** Faults of robots.txt, and what their printed fixes say. */
import { replace, type Printed, type Row, type Setup } from './setup.ts';

const robots =
  (...lines: readonly string[]) =>
  ({ files }: Setup): void =>
    void files.set('robots.txt', `${lines.join('\n')}\n`);
const OWN = '= /robots.txt';

export const ROBOTS: readonly Row[] = [
  {
    rule: 'robots/server-failure',
    fault: ({ locations }) => locations.set(OWN, 'return 503;'),
    fix: ({ files, locations }, printed) => {
      printed.says('Deploy a plain `robots.txt`');
      files.set('robots.txt', 'User-agent: *\nAllow: /\n');
      locations.delete(OWN);
    },
  },
  {
    rule: 'robots/html',
    fault: ({ files }) => files.set('robots.txt', '<!doctype html><title>Log in</title><p>Please log in.</p>\n'),
    fix: (setup, printed) => {
      printed.says('Deploy a `robots.txt` of plain text');
      robots('User-agent: *', 'Allow: /')(setup);
    },
  },
  {
    rule: 'robots/disallow-all',
    fault: robots('User-agent: *', 'Disallow: /'),
    fix: ({ files }, printed) => files.set('robots.txt', `${printed.code('User-agent')}\n${printed.code('Allow')}\n`),
  },
  {
    rule: 'robots/llms-txt-blocked',
    fault: robots('User-agent: *', 'Disallow: /llms'),
    fix: (setup, printed) => robots('User-agent: *', 'Disallow: /llms', printed.says('Allow: /llms.txt'))(setup),
  },
  {
    rule: 'robots/llms-txt-agents-blocked',
    fault: robots(
      'User-agent: ChatGPT-User',
      'User-agent: Claude-User',
      'User-agent: Perplexity-User',
      'User-agent: OAI-SearchBot',
      'User-agent: Claude-SearchBot',
      'User-agent: PerplexityBot',
      'User-agent: GPTBot',
      'Disallow: /',
    ),
    fix: (setup, printed) => {
      for (const agent of ['ChatGPT-User', 'Claude-User', 'Perplexity-User']) printed.says(agent);
      for (const agent of ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot']) printed.says(agent);
      robots('User-agent: GPTBot', 'Disallow: /')(setup);
    },
  },
  {
    rule: 'robots/agents-blocked-by-host',
    fault: robots(
      '# BEGIN Cloudflare Managed content',
      'User-agent: GPTBot',
      'Disallow: /',
      '# END Cloudflare Managed Content',
    ),
    fix: (setup, printed) => {
      printed.says('turn the managed `robots.txt` of the domain off');
      robots('User-agent: *', 'Allow: /')(setup);
    },
  },
  {
    rule: 'robots/engine-blocked',
    fault: robots('User-agent: *', 'Disallow: /*.json$', 'Disallow: /navigation'),
    fix: (setup, printed) =>
      robots(
        'User-agent: *',
        'Disallow: /*.json$',
        'Disallow: /navigation',
        printed.says('Allow: /config.json'),
        printed.says('Allow: /navigation.md'),
      )(setup),
  },
  {
    rule: 'robots/pages-blocked',
    fault: robots('User-agent: *', 'Disallow: /guide'),
    fix: (setup, printed) => {
      printed.says('A path without `$` covers everything that begins with it');
      robots('User-agent: *', 'Disallow: /guide$')(setup);
    },
  },
  {
    rule: 'robots/bad-line',
    fault: robots('Disallow: /drafts/', 'User-agent: *', 'Disalow: /old/', 'Allow /'),
    fix: (setup, printed) => robots('User-agent: *', printed.says('Disallow: /drafts/'), 'Disallow: /old/')(setup),
  },
  {
    rule: 'robots/too-long',
    fault: ({ files }) =>
      files.set('robots.txt', `User-agent: *\n${'# A comment that says nothing.\n'.repeat(17_000)}Allow: /\n`),
    fix: (setup, printed) => {
      printed.says('leave out rules');
      robots('User-agent: *', 'Allow: /')(setup);
    },
  },
  {
    rule: 'robots/noindex',
    fault: ({ files }) => replace(files, 'index.html', '<title>', '<meta name="robots" content="noindex"><title>'),
    fix: ({ files }, printed: Printed) => {
      printed.says('the bundle’s template'.replace('’', "'"));
      replace(files, 'index.html', '<meta name="robots" content="noindex">', '');
    },
  },
];
