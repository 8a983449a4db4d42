import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, loadTexts } from '../texts.ts';
import { explanation } from './terminal.ts';

const FENCED = `# Title\n\nProse.\n\n\`\`\`json\n# no heading ${'x'.repeat(80)}\n\`\`\`\n\n## Part\n\nUse \`nginx -t\`.`;

describe('explanation', () => {
  it('wraps prose and leaves code alone', () => {
    const lines = explanation(FENCED, 40, false).split('\n');
    expect(lines).toContain(`# no heading ${'x'.repeat(80)}`);
    expect(lines).toContain('## Part');
    expect(lines).toContain('Use `nginx -t`.');
    expect(lines.at(-1)).toBe('');
  });

  it('indents what follows in an item of a list, and sets its name off with colour', () => {
    const item = '- **nginx**: Add a location before the others.';
    expect(explanation(item, 30, false)).toBe('- **nginx**: Add a location\n  before the others.\n');
    expect(explanation(item, 80, true)).toContain('- \u001B[1mnginx\u001B[22m: Add');
  });

  it('sets headings and code off with colour, without their marks', () => {
    const text = explanation(FENCED, 40, true);
    expect(text).toContain('\u001b[1mTitle\u001b[22m');
    expect(text).toContain('\u001b[36mnginx -t\u001b[39m');
    expect(text).not.toContain('## Part');
  });

  it.each(LANGUAGES)('no page is wider than its terminal (%s)', async (language) => {
    const texts = await loadTexts(language);
    for (const id of texts.ids()) {
      for (const columns of [60, 200]) {
        const prose = (texts.page(id) ?? '').replaceAll(/^```[^]*?^```$/gm, '');
        // Code without a space cannot be broken.
        const lines = explanation(prose, columns, true)
          .split('\n')
          .filter((line) => line.trim().includes(' '));
        expect(lines.filter((line) => stringWidth(line) > Math.min(columns, 100))).toEqual([]);
      }
    }
  });
});
