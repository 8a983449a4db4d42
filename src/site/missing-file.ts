/** Finds out why a file that every site has is missing, and reports that instead of what came in its place. */
import { posix } from 'node:path';
import type { Answer, Diagnosis, Draft, Evidence, Gathered, Grade, Site } from '../check.ts';
import { asksForBundle } from '../expect/fallback.ts';
import { MISSPELLING_CODES, misspellingCode } from '../expect/misspelling.ts';
import { memberOffset } from '../parse/json.ts';
import { excerpt, position } from '../parse/position.ts';
import { decodeUtf8 } from '../parse/text.ts';
import { renameCommand } from '../shell-word.ts';
import { isAbsent, isGone } from './absent.ts';
import { pathUnder } from './link-path.ts';
import { DEFAULT_FILES, type Setting } from './settings.ts';

/** The rules of a file whose name no setting changes. */
export const MISSING_FILE_CODES = { 'wrong-base': 'error', 'letter-case': 'error' } as const satisfies Record<
  string,
  Grade
>;

/** The rules of a file that a setting may name. */
export const MISSING_NAMED_CODES = {
  ...MISSING_FILE_CODES,
  ...MISSPELLING_CODES,
  'wrong-setting': 'error',
} as const satisfies Record<string, Grade>;

export type MissingFileCode = keyof typeof MISSING_FILE_CODES;
export type MissingNamedCode = keyof typeof MISSING_NAMED_CODES;

/** Why a file is missing. */
export interface WhyMissing {
  /** `null`: only more evidence was found. */
  readonly code: MissingNamedCode | null;
  readonly evidence: Evidence;
  /** The place in `config.json` that names the file. */
  readonly at?: Pick<Draft, 'location' | 'excerpt'>;
}

/** A file of the site as it was requested. */
interface File extends Gathered {
  readonly answer: Answer;
  /** Set for a file that a setting may name. */
  readonly setting?: Setting;
  /** As in the configuration. */
  readonly value?: string | null | undefined;
  readonly why?: WhyMissing;
}

/** The rules that a file may have. */
type CodeOf<F extends File> = F extends { readonly setting: Setting } ? MissingNamedCode : MissingFileCode;

/** The same with the reason why the file is missing, where it is and the reason is known. */
export async function withReason<F extends File>(file: F, site: Site): Promise<F> {
  const bundle = await site.bundle();
  // A host with a fallback has a bundle at every address: that of a healthy site does not wait for the other files.
  if (!(file.answer === bundle ? isGone(bundle) : isAbsent(file.answer, bundle))) return file;
  const why = await reasonFor(file, site, bundle);
  return why === null ? file : { ...file, why };
}

async function reasonFor(file: File, site: Site, bundle: Answer): Promise<WhyMissing | null> {
  const { answer } = file;
  if (answer.kind === 'reply' && answer !== bundle && asksForBundle(answer, bundle)) return null;
  const above = await site.baseAbove();
  if (above !== null) return { code: 'wrong-base', evidence: { suggestion: above.href } };
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
  const code = misspellingCode(diagnosis);
  if (isNamed) {
    const at = placeOf(setting, await site.config());
    return { code: code ?? 'wrong-setting', evidence: { setting, value, ...evidence }, at };
  }
  if (code !== null) return { code, evidence: { ...evidence, ...(await renaming(diagnosis, path, site)) } };
  return Object.keys(evidence).length === 0 ? null : { code, evidence };
}

const evidenceOf = (diagnosis: Diagnosis | null): Evidence =>
  diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.code };

/** The command that gives a file the name that every engine requests, where only the letter case differs. */
async function renaming(diagnosis: Diagnosis | null, path: string | null, { wants }: Site): Promise<Evidence> {
  if (diagnosis?.code !== 'letter-case' || path === null) return {};
  const folder = (await wants.source?.repositoryFolder().catch(() => null)) ?? '';
  const command = renameCommand(posix.join(folder, diagnosis.suggestion), posix.join(folder, path));
  return command === null ? {} : { command };
}

/** Whether the source has the file under this very name, so that it was not deployed. */
async function inSource(path: string | null, { wants: { source } }: Site): Promise<Evidence> {
  const files = await source?.files().catch(() => null);
  return path !== null && files?.has(path) === true ? { inSource: true } : {};
}

function placeOf(setting: Setting, config: Answer): Pick<Draft, 'location' | 'excerpt'> {
  const decoded = config.kind === 'reply' && config.status === 200 ? decodeUtf8(config.body) : null;
  if (decoded?.ok !== true) return {};
  const at = position(decoded.text, memberOffset(decoded.text, setting));
  return { location: { path: 'config.json', ...at }, excerpt: excerpt(decoded.text, at.line, 1, at.column) };
}

/** What came instead of a missing file. */
const IN_ITS_PLACE: ReadonlySet<string> = new Set(['not-found', 'spa-fallback', 'html']);

/** The findings of a file, or why it is missing instead of those about what came in its place. */
export async function explained<F extends File, D extends Draft>(
  { answer, why }: F,
  judge: () => Promise<readonly D[]>,
): Promise<readonly (D | Draft<CodeOf<F>>)[]> {
  if (why === undefined) return judge();
  const { code, evidence, at = {} } = why;
  const asked = { url: answer.requestUrl, ...(answer.kind === 'reply' ? { status: answer.status } : {}) };
  if (code !== null) return [{ code: code as CodeOf<F>, evidence: { ...asked, ...evidence }, ...at }];
  return (await judge()).map((draft) =>
    IN_ITS_PLACE.has(draft.code) ? { ...draft, evidence: { ...draft.evidence, ...evidence } } : draft,
  );
}
