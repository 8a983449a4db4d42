import { describe, expect, it } from 'vitest';
import { openState } from '../../../test/monitor/incident/state.ts';
import { incident, MINUTE, site, source, state, watched } from '../../../test/page/sample.ts';
import { makeStyle } from '../../report/terminal.ts';
import type { Language } from '../../locales/language.ts';
import { gatherOverview } from './data.ts';
import { pageContextOf } from './page.ts';
import { statusTable } from './terminal.ts';

async function reported(language: Language, flapping: boolean): Promise<string> {
  const open = incident('docs', MINUTE, null, { checks: ['llms-txt'], flapping });
  const from = source([watched(site('docs'), state('healthy', [], openState(open)))]);
  const context = await pageContextOf(from, '', language, { as: 'served' });
  return statusTable(await gatherOverview(from), makeStyle(false), context);
}

describe('the table of sites', () => {
  it.each([
    ['en', 'Agent index (llms.txt): '],
    ['ro', 'Index pentru agenți (llms.txt): '],
    ['fr', 'Index pour agents (llms.txt)\u00a0: '],
  ] as const)('reports what fails as %s writes it', async (language, text) => {
    expect(await reported(language, false)).toContain(text);
  });

  it('says that a site goes up and down, which may look well just now', async () => {
    expect(await reported('en', true)).toContain('Agent index (llms.txt): flapping, ');
    expect(await reported('en', false)).not.toContain('flapping');
  });
});
