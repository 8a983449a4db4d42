/** The hosts beside those of `checked.test.ts`. */
import { describe, it } from 'vitest';
import { expectNamedFindings, expectServed } from './checked.ts';
import { HOSTS } from './printed.ts';

describe('what docvitals hosting prints', () => {
  it.each(HOSTS.filter((host) => host !== 'vercel'))('names what is reported of the documented rules on %s', (host) =>
    expectNamedFindings(host),
  );
});

describe('docvitals serve', () => {
  it.each(['nginx', 'vercel'] as const)('passes as a host like %s', (host) => expectServed(host, 'improved'));

  it.each(['vercel', 'cloudflare'] as const)('has the findings of %s with the documented rules', (host) =>
    expectServed(host, 'documented'),
  );
});
