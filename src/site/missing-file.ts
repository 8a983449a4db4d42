/** Reports why a file that every site has is missing, instead of the finding about what was received instead. */
import { posix } from 'node:path';
import type { Answer, Evidence } from '../core/answer.ts';
import type { Diagnosis } from '../crawl/diagnose.ts';
import type { Gathered } from '../core/gathered.ts';
import type { RawFinding } from '../core/finding.ts';
import type { Site } from './types.ts';
import type { EngineProfile, NamedBy, Setting, WrittenSetting } from '../engines/engine.ts';
import { pathUnder } from '../engines/link.ts';
import {
  beginningOf,
  hasOwnContent,
  isAbsent,
  isBundleRequested,
  isFallback,
  isGone,
  isThere,
} from '../expect/fallback.ts';
import { decodedByCharset, locatedAt, MISSPELLING_RULES, misspellingRule, textOf } from '../expect/text.ts';
import { hasHtmlMarkup } from '../parse/html.ts';
import { memberOffset } from '../parse/json.ts';
import { renameCommand } from '../text/shell-word.ts';
import { ACCEPT, candidates } from './settings.ts';

export const MISSING_FILE_RULES = { 'wrong-base': 'error', 'letter-case': 'error' } as const;

export const MISSING_NAMED_RULES = { ...MISSING_FILE_RULES, ...MISSPELLING_RULES, 'wrong-setting': 'error' } as const;

export type MissingFileRule = keyof typeof MISSING_FILE_RULES;
export type MissingNamedRule = keyof typeof MISSING_NAMED_RULES;

export interface WhyMissing {
  /** `null`: only more evidence was found. */
  readonly rule: MissingNamedRule | null;
  readonly evidence: Evidence;
  /** The place in `config.json` that names the file. */
  readonly at?: Pick<RawFinding, 'location' | 'excerpt'>;
}

export interface File extends Gathered {
  readonly answer: Answer;
  /** Set for a file that a setting may name. */
  readonly setting?: Setting;
  readonly value?: string | null | undefined;
  readonly why?: WhyMissing;
}

type RuleOf<F extends File> = F extends { readonly setting: Setting } ? MissingNamedRule : MissingFileRule;

/** The same with the reason why the file is missing, where it is and the reason is known. */
export async function withReason<F extends File>(file: F, site: Site): Promise<F> {
  const bundle = await site.bundle();
  // A host with a fallback has a bundle at every address: that of a healthy site does not wait for the other files.
  if (!(file.answer === bundle ? isGone(bundle) : isAbsent(file.answer, bundle))) return file;
  const why = await reasonFor(file, site, bundle);
  return why === null ? file : { ...file, why };
}

/** The same with the text that visitors see, whatever its encoding. */
export async function asEngineReads<F extends File>(file: F, site: Site): Promise<F> {
  const { obeysCharset } = await site.engineSettings();
  return obeysCharset === true ? { ...file, answer: decodedByCharset(file.answer) } : file;
}

export const SERVED_INSTEAD: ReadonlySet<string> = new Set(['not-found', 'spa-fallback', 'html']);

/** The findings of a file, or why it is missing instead of those about what came in its place. */
export async function explained<F extends File, D extends RawFinding>(
  { answer, why }: F,
  evaluate: () => readonly D[] | Promise<readonly D[]>,
): Promise<readonly (D | RawFinding<RuleOf<F>>)[]> {
  if (why === undefined) return evaluate();
  const { rule, evidence, at = {} } = why;
  const asked = { url: answer.requestUrl, ...(answer.kind === 'reply' ? { status: answer.status } : {}) };
  if (rule !== null) return [{ rule: rule as RuleOf<F>, evidence: { ...asked, ...evidence }, ...at }];
  return (await evaluate()).map((finding) =>
    SERVED_INSTEAD.has(finding.rule) ? { ...finding, evidence: { ...finding.evidence, ...evidence } } : finding,
  );
}

async function reasonFor(file: File, site: Site, bundle: Answer): Promise<WhyMissing | null> {
  const { answer } = file;
  if (answer.kind === 'reply' && answer !== bundle && isBundleRequested(answer, bundle)) return null;
  const above = await site.baseAbove();
  if (above !== null) return { rule: 'wrong-base', evidence: { suggestion: above.href } };
  // Without a bundle no site exists whose files could have other names.
  return answer !== bundle && isGone(bundle) ? null : misnamed(file, site);
}

async function misnamed({ answer, setting, value = null }: File, site: Site): Promise<WhyMissing | null> {
  const url = new URL(answer.requestUrl);
  const path = pathUnder(url, site.base);
  const { profile } = await site.engine();
  const isNamed = setting !== undefined && url.href !== new URL(profile.files[setting], site.base).href;
  const { diagnoseFile } = await import('../crawl/diagnose.ts');
  const diagnosis = path === null ? null : await diagnoseFile({ path, isNamed, isFree: setting !== undefined }, site);
  const evidence = await evidenceOf(diagnosis, path, site);
  const rule = misspellingRule(diagnosis);
  if (isNamed) return wrongSetting({ setting, value, rule, evidence }, site);
  if (rule !== null) return { rule, evidence: { ...evidence, ...(await renaming(diagnosis, path, site)) } };
  return Object.keys(evidence).length === 0 ? null : { rule, evidence };
}

type Named = { readonly setting: Setting; readonly value: string | null } & Pick<WhyMissing, 'rule' | 'evidence'>;

async function wrongSetting({ setting, value, rule, evidence }: Named, site: Site): Promise<WhyMissing> {
  const { profile } = await site.engine();
  const { namedBy } = await site.engineSettings();
  const shared = await wrongShared(namedBy?.[setting]?.shared ?? [], site);
  if (shared !== null) return { rule: 'wrong-setting', evidence: shared };
  const name = namedBy?.[setting]?.setting ?? profile.settingNames?.[setting];
  const at = name === undefined ? locationOf(setting, await site.config()) : {};
  return { rule: rule ?? 'wrong-setting', evidence: { setting: name ?? setting, value, ...evidence }, at };
}

/** The setting that keeps all files from being found: without it, this one is there. `null`: none does. */
async function wrongShared(shared: NamedBy['shared'], site: Site): Promise<WrittenSetting | null> {
  for (const { setting, value, without } of shared) {
    const [url] = candidates(without, site.base);
    if (url === undefined) continue;
    const answer = await site.get({ url, accept: ACCEPT.fetch });
    if (hasOwnContent(answer, await site.bundle())) return { setting, value };
  }
  return null;
}

async function evidenceOf(diagnosis: Diagnosis | null, path: string | null, { requested }: Site): Promise<Evidence> {
  const files = await requested.source?.files().catch(() => null);
  return {
    // The source has the file under this very name: it was not deployed.
    ...(path !== null && files?.has(path) === true ? { inSource: true } : {}),
    ...(diagnosis === null ? {} : { suggestion: diagnosis.suggestion, diagnosis: diagnosis.rule }),
  };
}

/** The command that gives a file the name that every engine requests, where only the letter case differs. */
async function renaming(diagnosis: Diagnosis | null, path: string | null, { requested }: Site): Promise<Evidence> {
  if (diagnosis?.rule !== 'letter-case' || path === null) return {};
  const folder = (await requested.source?.repositoryFolder().catch(() => null)) ?? '';
  const command = renameCommand(posix.join(folder, diagnosis.suggestion), posix.join(folder, path));
  return command === null ? {} : { command };
}

/** Where `config.json` has a setting. */
export function locationOf(setting: string, config: Answer): Pick<RawFinding, 'location' | 'excerpt'> {
  const text = textOf(config);
  return text === null ? {} : locatedAt('config.json', text, memberOffset(text, setting));
}

const MOST_LEVELS = 3;

const OWN_FILES = ['navigationFile', 'homePage'] as const satisfies readonly Setting[];

/**
 * The base URL of the site that holds `site.base`, at most three folders above it. `null`: none, or the address
 * has a configuration or a navigation of its own. Sends requests only where both are missing, so that no existing site is
 * taken for another one.
 */
export async function findBaseAbove(site: Site): Promise<URL | null> {
  const { base } = site;
  if (base.pathname === '/') return null;
  const [bundle, { profile }, { navigationFile }] = await Promise.all([site.bundle(), site.engine(), site.settings()]);
  // Pages have a home page in each folder: it only counts where the engine needs no other file.
  const needsOthers = profile.navigation === 'required' && navigationFile !== null;
  const own = needsOthers ? (['navigationFile'] as const) : OWN_FILES;
  const files = await Promise.all([
    ...(profile.configuration(null) === 'bundle' ? [] : [site.config()]),
    ...own.map(async (setting) => (await site.file(setting)).answer),
  ]);
  if (!files.every((file) => isAbsent(file, bundle))) return null;
  let folder = base;
  for (let level = 0; level < MOST_LEVELS && folder.pathname !== '/'; level++) {
    folder = new URL('../', folder);
    const above = await bundleOfSite(folder, site, profile);
    // On a host with a fallback the bundle of the site above comes for every missing file.
    const isSame = above !== null && bundle.kind === 'reply' && isFallback(bundle, above);
    if (above !== null) return isGone(bundle) || isSame ? folder : null;
  }
  return null;
}

/** The bundle of the site whose base a folder is; `null`: no site exists there. */
async function bundleOfSite(folder: URL, { get }: Site, { files: names }: EngineProfile): Promise<Answer | null> {
  const ask = (name: string, accept: string): Promise<Answer> => get({ url: new URL(name, folder), accept });
  const [bundle, ...files] = await Promise.all([
    ask('index.html', ACCEPT.navigate),
    ...['config.json', ...OWN_FILES.map((setting) => names[setting])].map((name) => ask(name, ACCEPT.fetch)),
  ]);
  if (!isThere(bundle) || !hasHtmlMarkup(beginningOf(bundle.body))) return null;
  return files.some((file) => isThere(file) && file.body.length > 0 && !isAbsent(file, bundle)) ? bundle : null;
}
