import { describe, expect, it } from 'vitest';
import { messagesIn } from '../locales/messages.ts';
import { declarationOf, declaredText, verifyCommand } from './rule-explanation.ts';

const check = { id: 'rendered', rules: { blank: 'error', slow: 'warning', 'no-browser': 'skip' } } as const;

describe('a rule', () => {
  it('has the severity, or the outcome, that its check declares; those of all checks are errors', () => {
    const declared = ['blank', 'slow', 'no-browser', 'not-found'].map((rule) => declarationOf(check, rule));
    expect(declared).toEqual([
      { severity: 'error' },
      { severity: 'warning' },
      { severity: null, outcome: 'skip' },
      { severity: 'error' },
    ]);
    const { explain } = messagesIn('en');
    expect(declared.map((one) => declaredText(one, explain))).toEqual(['error', 'warning', 'outcome skip', 'error']);
  });

  it('is verified by its check alone, with the option that the check needs', () => {
    expect(verifyCommand(check)).toBe('docvitals check https://docs.example.com/ --only rendered');
    expect(verifyCommand({ ...check, role: 'browser' })).toBe(
      'docvitals check https://docs.example.com/ --browser --only rendered',
    );
  });
});
