import { describe, expect, it } from 'vitest';
import { severityOf, verifyCommand } from './rule-explanation.ts';

const check = { id: 'rendered', rules: { blank: 'error', slow: 'warning', 'no-browser': 'unknown' } } as const;

describe('a rule', () => {
  it('has the severity that its check declares; those of all checks are errors', () => {
    const severities = ['blank', 'slow', 'no-browser', 'not-found'].map((rule) => severityOf(check, rule));
    expect(severities).toEqual(['error', 'warning', 'unknown', 'error']);
  });

  it('is verified by its check alone, with the option that the check needs', () => {
    expect(verifyCommand(check)).toBe('docvitals check https://docs.example.com/ --only rendered');
    expect(verifyCommand({ ...check, role: 'browser' })).toBe(
      'docvitals check https://docs.example.com/ --browser --only rendered',
    );
  });
});
