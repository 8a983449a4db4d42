/** Finds out why a file that every site has is missing. */
import { posix } from 'node:path';
import type { Answer, Diagnosis, RawFinding, Evidence, Site } from '../check.ts';
import { isBundleRequested } from '../expect/fallback.ts';
import { misspellingRule } from '../expect/text.ts';
import { memberOffset } from '../parse/json.ts';
import { excerpt, position } from '../parse/position.ts';
import { decodeUtf8 } from '../parse/text.ts';
import { renameCommand } from '../shell-word.ts';
import { isGone } from './missing-status.ts';
import { pathUnder } from './link.ts';
import type { File, WhyMissing } from './missing-file.ts';
import { DEFAULT_FILES, type Setting } from './settings.ts';

/** Why a file is missing; `null`: not known. */
export async function reasonFor(file: File, site: Site, bundle: Answer): Promise<WhyMissing | null> {
  const { answer } = file;
  if (answer.kind === 'reply' && answer !== bundle && isBundleRequested(answer, bundle)) return null;
  const above = await site.baseAbove();
  if (above !== null) return { rule: 'wrong-base', evidence: { suggestion: above.href } };
  // Without a bundle there is no site whose files could have other names.
  return answer !== bundle && isGone(bundle) ? null : misnamed(file, site);
}

async function misnamed({ answer, setting, value = null }: File, site: Site): Promise<WhyMissing | null> {
  const url = new URL(answer.requestUrl);
  const path = pathUnder(url, site.base);
  const isNamed = setting !== undefined && url.href !== new URL(DEFAULT_FILES[setting], site.base).href;
  const { diagnoseFile } = await import('../crawl/diagnose-file.ts');
  const isFree = setting !== undefined;
  const diagnosis = path === null ? null : await diagnoseFile({ path, isNamed, isFree }, site);
  const evidence = { ...(await inSource(path, site)), ...evidenceOf(diagnosis) };
  const rule = misspellingRule(diagnosis);
  if (isNamed) {
    const at = locationOf(setting, await site.config());
    return { rule: rule ?? 'wrong-setting', evidence: { setting, value, ...evidence }, at };
  }
  if (rule !== null) return { rule, evidence: { ...evidence, ...(await renaming(diagnosis, path, site)) } };
  return Object.keys(evidence).length === 0 ? null : { rule, evidence };
}

const evidenceOf = (diagnosis: Diagnosis | null): Evidence =>
  diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.rule };

/** The command that gives a file the name that every engine requests, where only the letter case differs. */
async function renaming(diagnosis: Diagnosis | null, path: string | null, { requested }: Site): Promise<Evidence> {
  if (diagnosis?.rule !== 'letter-case' || path === null) return {};
  const folder = (await requested.source?.repositoryFolder().catch(() => null)) ?? '';
  const command = renameCommand(posix.join(folder, diagnosis.suggestion), posix.join(folder, path));
  return command === null ? {} : { command };
}

/** Whether the source has the file under this very name, so that it was not deployed. */
async function inSource(path: string | null, { requested: { source } }: Site): Promise<Evidence> {
  const files = await source?.files().catch(() => null);
  return path !== null && files?.has(path) === true ? { inSource: true } : {};
}

function locationOf(setting: Setting, config: Answer): Pick<RawFinding, 'location' | 'excerpt'> {
  const decoded = config.kind === 'reply' && config.status === 200 ? decodeUtf8(config.body) : null;
  if (decoded?.ok !== true) return {};
  const at = position(decoded.text, memberOffset(decoded.text, setting));
  return { location: { path: 'config.json', ...at }, excerpt: excerpt(decoded.text, at.line, 1, at.column) };
}
