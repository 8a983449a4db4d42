import type { Flags } from './commands.ts';
import { incidentsCsv } from '../monitor/history/documents.ts';
import { prettyIncidents } from '../monitor/history/pretty.ts';
import { incidentDocument } from '../monitor/incident/document.ts';
import { writeErr, writeOut, writeShown } from '../output.ts';
import { momentOf } from '../project/arguments.ts';
import { makeStyle } from '../report/terminal.ts';
import { databaseSettings, demandSite, withSharedStore } from './database.ts';
import { wantsColour } from './terminal.ts';
import { messagesIn } from '../locales/messages.ts';
import { alertsWords } from '../generated/locales/alerts.ts';
import { historyWords } from '../generated/locales/history.ts';

export async function incidents(flags: Flags<'incidents'>, env: NodeJS.ProcessEnv): Promise<void> {
  const settings = await databaseSettings(flags, env);
  const { file, language, sites } = settings;
  const { site, open, limit } = flags;
  const words = historyWords(language);
  const now = Date.now();
  const since = flags.since === undefined ? undefined : momentOf(flags.since, '--since', now);
  const found = await withSharedStore(file, async (store) => {
    if (site !== undefined) await demandSite(site, '--site', settings, store);
    return store.incidents({
      // One more shows whether there are more.
      limit: limit + 1,
      ...(site === undefined ? {} : { site }),
      ...(open === undefined ? {} : { open }),
      // Of a site that is requested by its name all is reported, whether it is still watched or not.
      ...(site !== undefined || sites.length === 0 ? {} : { openOf: sites }),
      ...(since === undefined ? {} : { since }),
    });
  });
  const reported = found.slice(0, limit);
  if (flags.format === 'json') await writeOut(`${JSON.stringify(reported.map(incidentDocument), null, 2)}\n`);
  else if (flags.format === 'csv') await writeOut(incidentsCsv(reported));
  else if (reported.length === 0) await writeShown(`${open === true ? words.noOpenIncidents : words.noIncidents}\n`);
  else {
    const style = makeStyle(wantsColour(process.stdout, env, flags.color));
    const [alertWords, messages] = [alertsWords(language), messagesIn(language)];
    await writeShown(prettyIncidents(reported, { words, alertWords, messages, style, now }));
  }
  if (found.length > limit) await writeErr(`${words.limited(limit)}\n`);
}
