/** The product tokens under which AI companies read robots.txt, as their own pages name them. */

/** Agents that fetch a page for somebody who asks, or that build the index which answers are found by. */
export const READERS = [
  'ChatGPT-User',
  'OAI-SearchBot',
  'Claude-User',
  'Claude-SearchBot',
  'Perplexity-User',
  'PerplexityBot',
] as const;

/** The known AI agents: the readers, smaller ones, and those that gather text for training. */
export const AGENTS = [
  ...READERS,
  'DuckAssistBot',
  'MistralAI-User',
  'meta-externalfetcher',
  'Amazonbot',
  'Applebot',
  'GPTBot',
  'ClaudeBot',
  'anthropic-ai',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Bytespider',
  'meta-externalagent',
  'cohere-ai',
  'cohere-training-data-crawler',
  'AI2Bot',
  'Diffbot',
] as const;
