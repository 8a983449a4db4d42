/** What a browser sends when it navigates; what `fetch` sends by default, as engines do (Fetch standard). */
export const ACCEPT = {
  navigate: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  fetch: '*/*',
} as const;
