import { messagesIn } from '../locales/messages.ts';
import { writeErr } from '../text/output.ts';
import { unappliedLine } from '../options/settings-of-address.ts';
import type { ProjectSettings } from '../options/settings.ts';

/** Reports on standard error which settings of the configuration a run goes without, because they are for another address. */
export async function reportUnapplied(settings: ProjectSettings): Promise<void> {
  const line = unappliedLine(settings, messagesIn(settings.language));
  if (line !== null) await writeErr(`docvitals: ${line}\n`);
}
