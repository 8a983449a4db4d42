import type { RawFinding, Location } from '../../src/core/finding.ts';
import type { Evidence, Reply, Json } from '../../src/core/answer.ts';
import type { Site } from '../../src/site/types.ts';
import { NOT_RECEIVED_RULES, notEvaluated, type NotReceivedRule } from '../../src/expect/not-received.ts';
import { isOk, isJavaScriptType } from '../../src/expect/reply.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import type { HtmlResources } from '../../src/parse/html-links.ts';
import { readUntrusted } from '../../src/parse/untrusted.ts';
import { firstOfEach, MOST_SHOWN, wordsOf } from '../full-check.ts';
import { RULES, START_RULES, type Rule, type StartRule } from './rules.ts';
import { isCors, isFile, isScript, load, OF_OTHER_TYPE, requiredBy, requiredByPage, requiredWorkers } from './load.ts';
import type { Asset, Context, Insecure, RequiredKind, Requirement } from './load.ts';
import { isEngineMissing } from './engine-script.ts';
import { blockedByPolicy } from './policy.ts';
import { textOf } from '../../src/expect/text.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { excerpt, positionsOf } from '../../src/parse/position.ts';
import { MOST_LOCATIONS } from '../../src/engines/link.ts';
import { workersOfPage } from '../../src/site/service-workers.ts';
import { candidates } from '../../src/site/settings.ts';

export async function gather(site: Site) {
  const bundle = await site.bundle();
  const gathered = await assetsOf(site);
  return { answer: null, bundle, ...(gathered ?? { loaded: null, leftOut: null }) };
}

export function evaluate(gathered: Awaited<ReturnType<typeof gather>>): readonly RawFinding<Rule | 'no-answer'>[] {
  const { bundle, loaded, leftOut } = gathered;
  if (loaded === null) return [notEvaluated(bundle)];
  return [
    ...evaluateAssets(loaded, false),
    ...(leftOut === null ? [] : [{ rule: 'limit-reached', evidence: leftOut } as const]),
  ];
}

/**
 * What is wrong with the scripts that the page cannot start without; `isReadable`: visitors can read it all the same, as
 * the page of an unknown engine that has text of its own.
 */
export async function startFindings(site: Site) {
  const gathered = await assetsOf(site);
  if (gathered === null) return { findings: [], isReadable: false };
  const { blocked, loaded, isWithoutEngine } = gathered;
  if (isWithoutEngine) return { findings: [{ rule: 'engine-not-loaded' } as const], isReadable: false };
  const scripts = evaluateAssets(loaded, true);
  if (blocked === null && scripts.length === 0) return { findings: [], isReadable: false };
  const isReadable = await site.hasOwnText();
  // A page that is complete without scripts has policies that suit it.
  if (blocked === null || isReadable) return { findings: scripts, isReadable };
  return { findings: [{ rule: 'policy-blocks-engine', evidence: blocked } as const, ...scripts], isReadable };
}

const known = new WeakMap<Site, ReturnType<typeof gatherAssets>>();

/** Loaded once for a run. `null`: there is no page. */
async function assetsOf(site: Site) {
  const bundle = await site.bundle();
  const text = isOk(bundle) ? Buffer.from(bundle.body).toString('utf8') : '';
  if (!isOk(bundle) || !hasHtmlMarkup(text)) return null;
  const gathered = known.get(site) ?? gatherAssets(site, bundle, text);
  known.set(site, gathered);
  return gathered;
}

/** Most scripts of a core run. */
const MOST_STARTING = 10;

/** Under `--full` all that the page loads, otherwise the scripts that it cannot start without. */
async function gatherAssets(site: Site, bundle: Reply, text: string) {
  const page = new URL(bundle.url);
  const { parseMs: limitMs, signal, read } = site.limits;
  const received = await readUntrusted('html-resources', text, null, { limitMs, signal, read });
  const html = received.ok ? received : UNREAD;
  const policies = [...html.policies, ...bundle.headers.all('content-security-policy')];
  const upgrades = policies.some((policy) => /(?:^|[;,])\s{0,20}upgrade-insecure-requests\b/i.test(policy));
  const context = { base: page, page, document: page, file: 'index.html', upgrades };
  const { profile, assumed } = await site.engine();
  const { isOwnScript } = profile;
  const byPage = await requiredByPage(html, context, { isOwnScript, isRecognised: !assumed });
  const scripts = byPage.filter(isFile).filter(({ starts }) => starts);
  const isWithoutEngine = await isEngineMissing(site, text, byPage.filter(isScript));
  const blocked = blockedByPolicy(policies, page, {
    scripts: scripts.map(({ urls: [url] }) => url),
    // Settings of an engine that is known by its script, or the engine itself.
    inline: html.inlineScript > 0 && (isOwnScript !== undefined || scripts.length === 0),
    fetched: new URL('config.json', site.base),
  });
  if (!site.requested.full) {
    const starting = byPage.filter((one) => isFile(one) && one.starts).slice(0, MOST_STARTING);
    const { assets, texts, requests } = await load(site, starting, context, 0);
    texts.set('index.html', text);
    return {
      blocked,
      isWithoutEngine,
      leftOut: null,
      loaded: { page, quirks: html.quirks, assets, insecure: [], texts, isEngine: isOwnScript, isWhole: false },
      requests,
      facts: {},
    };
  }
  const config = textOf(await site.config()) ?? '';
  const inConfig = { ...context, file: 'config.json' };
  const settings = settingsOf(await site.configuration());
  const bySettings = settings.flatMap((setting) => requiredBySetting(setting, config, inConfig));
  const isWanted = (one: (typeof byPage)[number]): boolean => !isFile(one) || !profile.isOptionalPart?.(one.urls[0]);
  const { base: document, registrations } = await workersOfPage(bundle, site);
  const inDocument = { ...context, document };
  const byWorkers = requiredWorkers(registrations, inDocument);
  const loaded = await load(site, [...byPage.filter(isWanted), ...bySettings, ...byWorkers], inDocument);
  const { assets, insecure, texts, left, foreign, cut, requests } = loaded;
  texts.set('index.html', text).set('config.json', config);
  const unread = loaded.unread + (html.whole ? 0 : 1);
  const sizes = new Map(assets.map(({ observed }) => [observed.url, observed.bytes]));
  return {
    blocked,
    isWithoutEngine,
    leftOut: left + unread === 0 ? null : { left, unread },
    loaded: { page, quirks: html.quirks, assets, insecure, texts, isEngine: isOwnScript, isWhole: true },
    requests,
    facts: {
      assets: requests,
      bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
      ...(left > 0 && { left }),
      ...(foreign > 0 && { foreignLeft: foreign }),
      ...((cut || unread > 0) && { cutShort: true }),
    },
  };
}

/** A page that takes too long to read: that it was not read to its end is reported. */
const UNREAD: HtmlResources = { resources: [], policies: [], quirks: false, inlineScript: 0, whole: false };

type SettingKind = 'icon' | 'image' | 'style' | 'script' | 'font';

const PICTURE = /^(?:svg|png|jpe?g|gif|webp|avif|ico)$/;
const SETTINGS: readonly (readonly [kind: SettingKind, extensions: RegExp, names: RegExp])[] = [
  ['icon', PICTURE, /^(?:favicon|icons?)$/],
  ['image', PICTURE, /^(?:logo|images?|img|picture|banner|cover|avatar|background|hero|thumbnail)$/],
  ['style', /^css$/, /^(?:css|stylesheets?|styles?|themes?)$/],
  ['script', /^m?js$/, /^(?:js|scripts?|plugins?|javascript)$/],
  ['font', /^(?:woff2?|ttf|otf)$/, /^fonts?$/],
];

/** A path or URL of one file: no white space, quotes, placeholders or line ends. */
const FILE = /^(?!data:)[^\s<>"'`{}|\\^]{1,1999}\.([a-z0-9]{2,5})(?:[?#][^\s<>"'`]*)?$/i;
const MOST_SETTINGS = 200;

type Setting = ReturnType<typeof settingsOf>[number];

function requiredBySetting({ name, value }: Setting, text: string, context: Context): readonly Requirement[] {
  const kind = kindOf(name, value);
  if (kind === null) return [];
  const offset = Math.max(0, text.indexOf(JSON.stringify(value)));
  // A script of the configuration is loaded beside the bundle, which starts without it.
  const required = requiredBy([{ kind, url: value, offset, async: kind === 'script' }], context);
  const [first, ...others] = /^\/(?!\/)/.test(value) ? candidates(value, context.page) : [];
  return required.map((one) =>
    isFile(one) ? { ...one, urls: first === undefined ? one.urls : [first, ...others], setting: name } : one,
  );
}

function kindOf(name: string, value: string): SettingKind | null {
  const extension = FILE.exec(value)?.[1]?.toLowerCase() ?? '';
  const words = wordsOf(name);
  const fits = SETTINGS.find(
    ([, extensions, names]) => extensions.test(extension) && words.some((word) => names.test(word)),
  );
  return fits?.[0] ?? null;
}

/** The settings that may name a file, by up to two names (`logo.dark`). Engines have settings of their own: nothing else is guessed. */
function settingsOf(configuration: Readonly<Record<string, Json>>) {
  const found: { readonly name: string; readonly value: string }[] = [];
  const add = (names: readonly string[], value: Json, isInList = false): void => {
    if (typeof value === 'string' && found.length < MOST_SETTINGS) found.push({ name: names.join('.'), value });
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value) && names.length < 2)
      for (const [name, member] of Object.entries(value)) add([...names, name], member);
    if (Array.isArray(value) && !isInList)
      for (const item of value.slice(0, MOST_SETTINGS) as readonly Json[]) add(names, item, true);
  };
  add([], configuration);
  return found;
}

type LoadedAssets = Awaited<ReturnType<typeof gatherAssets>>['loaded'];

type Fault = ReturnType<typeof faultsOf>[number];

const MOST_FAULTS = 100;

/** Whether the check of the bundle reports it: about a script that the page cannot start without. */
function isOfStart({ starts }: Asset, rule: AnyRule, { isWhole }: LoadedAssets): rule is StartRule {
  if (!starts) return false;
  if (Object.hasOwn(START_RULES, rule) || rule === 'git-lfs-pointer') return true;
  // Under `--full`, what this machine did not receive is reported for all files together.
  return !isWhole && rule !== 'rate-limited' && Object.hasOwn(NOT_RECEIVED_RULES, rule);
}

function evaluateAssets(loaded: LoadedAssets, isStart: true): readonly RawFinding<StartRule>[];
function evaluateAssets(loaded: LoadedAssets, isStart: false): readonly RawFinding<Rule>[];
/**
 * One finding for each file that did not come, for each other host whose files did not, and for each code of others, with
 * every place that names the file. `isStart`: those about scripts that the page cannot start without, or all others.
 */
function evaluateAssets(loaded: LoadedAssets, isStart: boolean): readonly RawFinding<AnyRule>[] {
  const found = loaded.assets.flatMap((asset) =>
    faultsOf(asset, loaded).map((fault) => ({ ...fault, isStart: isOfStart(asset, fault.rule, loaded) })),
  );
  const starting = new Set(found.flatMap((fault) => (fault.isStart && fault.absent ? [fault.url] : [])));
  const own = found.filter(
    (fault) => fault.isStart === isStart && (isStart || !fault.absent || !starting.has(fault.url)),
  );
  const faults = [...own, ...(isStart ? [] : loaded.insecure.map(mixed))];
  // A file that is wanted in several ways is reported by the gravest; what keeps the page blank comes first of all.
  const ranked = faults.toSorted((a, b) => RANKED.indexOf(a.rule) - RANKED.indexOf(b.rule));
  const grouped = Map.groupBy(ranked, ({ rule, url, absent }) => {
    if (Object.hasOwn(NOT_RECEIVED_RULES, rule)) return rule;
    if (rule === 'external-failed') return `${rule} ${new URL(url).host}`;
    return absent ? url : `${rule} ${url}`;
  });
  const reported = firstOfEach([...grouped.values()], ([first]) => first?.rule ?? '', MOST_FAULTS);
  const shown = reported.flatMap(({ item }) => item.slice(0, MOST_LOCATIONS).map(({ from }) => from));
  // Each text is gone through once for all of its own.
  const positions = new Map(
    [...Map.groupBy(shown, ({ file }) => file)].map(([file, all]) => {
      const offsets = all.map(({ offset }) => offset);
      return [file, positionsOf(loaded.texts.get(file) ?? '', offsets)];
    }),
  );
  return reported.map(({ item, omitted }) => ({
    ...findingOf(item, positions, loaded.texts),
    ...(omitted === undefined ? {} : { omitted }),
  }));
}

type AnyRule = Rule | StartRule;

/** Errors come first; among equals, as they are declared. */
const RANKED: readonly AnyRule[] = [
  ...(Object.keys(START_RULES) as StartRule[]),
  ...(Object.keys(RULES) as Rule[]).toSorted((a, b) => Number(RULES[b] === 'error') - Number(RULES[a] === 'error')),
];

function findingOf(group: readonly Fault[], positions: Positions, texts: LoadedAssets['texts']): RawFinding<AnyRule> {
  const [first] = group as readonly [Fault, ...Fault[]];
  const [, ...others] = new Set(group.map(({ url }) => url));
  const more = first.rule === 'external-failed' ? { also: others.slice(0, MOST_SHOWN) } : { files: others.length + 1 };
  const locations = group.slice(0, MOST_LOCATIONS).map(({ from: { file, offset } }): Location => {
    return { path: file, ...(positions.get(file)?.get(offset) ?? { line: 1, column: 1 }) };
  });
  const [location] = locations;
  const text = texts.get(first.from.file) ?? '';
  return {
    rule: first.rule,
    evidence: others.length > 0 ? { ...first.evidence, ...more } : first.evidence,
    ...(location === undefined ? {} : { location, excerpt: excerpt(text, first.from.offset, location.line) }),
    ...(locations.length > 1 ? { locations } : {}),
  };
}

type Positions = ReadonlyMap<string, ReturnType<typeof positionsOf>>;

function mixed({ kind, url, upgraded, from }: Insecure): Fault {
  const rule = upgraded ? 'mixed-image' : 'mixed-content';
  return { rule, url: url.href, from, absent: false, evidence: { kind, url: url.href } };
}

function faultsOf(asset: Asset, loaded: LoadedAssets) {
  const { observed, kind, from, written, setting } = asset;
  const fault = faultOf(asset, loaded);
  if (fault === null) return [];
  const named = setting === null ? { kind, written } : { kind, setting, value: written };
  const evidence: Evidence = { ...named, ...observed.evidence, ...fault.evidence };
  return [{ rule: fault.rule, url: observed.url, from, absent: observed.outcome !== 'there', evidence }];
}

function faultOf(asset: Asset, loaded: LoadedAssets): RawFinding<AnyRule> | null {
  const { observed, kind, foreign } = asset;
  const absent = absence(asset);
  if (absent !== null) return { rule: absent };
  // Of a file that is too large, nothing else is known.
  if (observed.outcome !== 'there' || observed.reason !== null) return null;
  if (observed.lfsPointer) return { rule: 'git-lfs-pointer' };
  const isEmpty = observed.bytes === 0 && !foreign && NEVER_EMPTY.has(kind);
  if (observed.bytes === 0 && asset.starts && loaded.isEngine?.(asset.urls[0].href) === true)
    return { rule: 'script-empty' };
  const broken = asset.syntax === null ? null : ({ rule: 'script-syntax', evidence: { ...asset.syntax } } as const);
  return refusal(asset, loaded) ?? broken ?? (isEmpty ? { rule: 'asset-empty' } : null);
}

/** Empty styles and scripts are usual, empty icons are a way to have none, and other hosts count visits with empty pictures. */
const NEVER_EMPTY: ReadonlySet<RequiredKind> = new Set<RequiredKind>(['image', 'font', 'manifest']);

function absence(asset: Asset): AnyRule | null {
  const { foreign, observed, starts } = asset;
  const { outcome, reason, status } = observed;
  if (outcome === 'there') return null;
  if (outcome === 'gone' || outcome === 'html') return missingRule(asset);
  if (reason !== null && REASONS[reason] === 'unknown') return reason as NotReceivedRule;
  if (isLong(asset)) return null;
  if (reason === 'blocked-address' && foreign && observed.evidence['location'] === undefined) return 'local-address';
  if (starts) return absenceOfStart(asset);
  if (status === 429) return 'rate-limited';
  if (foreign) return 'external-failed';
  const rule = missingRule(asset);
  return rule === 'script-missing' || RULES[rule] === 'warning' ? rule : 'asset-failed';
}

/** What another host refuses to this machine, or does not send it, visitors may get. */
function absenceOfStart({ foreign, observed: { reason, status } }: Asset): AnyRule {
  const isRefused = status === 401 || status === 403 || status === 429;
  if (foreign && (reason !== null || isRefused)) return 'script-unchecked';
  if (status === 429) return 'rate-limited';
  return reason === null ? 'script-missing' : 'script-failed';
}

/** Films and sounds take longer than a check has, and browsers show them before they are whole. */
function isLong({ kind, foreign, observed: { reason } }: Asset): boolean {
  return kind === 'media' && (reason === 'body-timeout' || (foreign && reason === 'headers-timeout'));
}

function missingRule({ kind, aside, setting, starts }: Asset): Rule | 'script-missing' {
  if (setting !== null) return kind === 'icon' ? 'icon-missing' : 'config-file-missing';
  if (kind === 'modulepreload') return 'chunk-missing';
  if (kind === 'media') return 'image-missing';
  if (kind !== 'script') return `${kind}-missing`;
  if (aside === 'nomodule') return 'legacy-script-missing';
  return starts ? 'script-missing' : 'side-script-missing';
}

function refusal(asset: Asset, { page, quirks }: LoadedAssets): RawFinding<AnyRule> | null {
  const { kind, observed } = asset;
  if (kind === 'style') return closedRefusal(asset, page, 'style') ?? styleTypeRefusal(asset, quirks);
  if (kind === 'worker') return isWorkerAccepted(asset) ? null : { rule: 'worker-refused' };
  if (kind === 'script' || kind === 'chunk' || kind === 'modulepreload') return scriptRefusal(asset, page);
  const picture = kind === 'image' || kind === 'icon';
  return picture && observed.svg && observed.mediaType !== 'image/svg+xml' ? { rule: 'image-type' } : null;
}

function scriptRefusal(asset: Asset, page: URL): RawFinding<AnyRule> | null {
  if (asset.aside === 'nomodule') return null;
  const refused = closedRefusal(asset, page, 'script') ?? scriptTypeRefusal(asset);
  // The page starts without it.
  if (refused === null || asset.starts || refused.rule === 'script-type-unusual') return refused;
  return { rule: 'side-script-refused', evidence: { ...refused.evidence, refused: refused.rule } };
}

/** Service Workers, section "Update": its type is one of JavaScript, and it is not redirected. */
function isWorkerAccepted({ observed: { mediaType, evidence } }: Asset): boolean {
  return isJavaScriptType(mediaType) && evidence['redirect'] === undefined;
}

/** HTML standard, 8.1.4.2; Fetch standard, 2.9 and 3.6. */
function scriptTypeRefusal({ urls, module, kind, observed }: Asset): RawFinding<AnyRule> | null {
  const { mediaType, nosniff } = observed;
  if (OF_OTHER_TYPE.test(urls[0].pathname) || isJavaScriptType(mediaType)) return null;
  if (module || kind !== 'script') return { rule: 'module-type' };
  if (nosniff || /^(?:audio|image|video)\/|^text\/csv$/.test(mediaType ?? '')) return { rule: 'script-type' };
  return mediaType === null ? null : { rule: 'script-type-unusual' };
}

/** HTML standard, 4.6.7.21; Fetch standard, 3.6. A page without a doctype takes the styles of its own host for what they are. */
function styleTypeRefusal({ foreign, observed }: Asset, quirks: boolean): RawFinding<Rule> | null {
  const { mediaType, nosniff } = observed;
  if (mediaType === 'text/css') return null;
  const isSniffed = mediaType === null || (quirks && !foreign);
  return isSniffed && !nosniff ? null : { rule: 'style-type' };
}

/** Why a browser may not read a file: its host does not allow it to the page, or it is not what the page announces. */
function closedRefusal(asset: Asset, page: URL, kind: 'script' | 'style'): RawFinding<AnyRule> | null {
  const { observed, foreign, crossorigin, integrity, integrityResult } = asset;
  const { allowOrigin } = observed;
  const isForAll = allowOrigin?.trim() === '*' && crossorigin?.toLowerCase() !== 'use-credentials';
  const isAllowed = isForAll || allowOrigin?.trim() === page.origin;
  // Subresource Integrity, section 3.3.4: without CORS the bytes of other hosts may not be checked.
  const isChecked = integrity !== null && /sha(?:256|384|512)-/.test(integrity);
  const isClosed = foreign && (isCors(asset) ? !isAllowed : isChecked);
  const isOther = integrityResult?.ok === false;
  if (!isClosed && !isOther) return null;
  const digests = isOther ? { expected: integrityResult.expected, actual: integrityResult.actual } : {};
  return { rule: `${kind}-${isClosed ? 'cors' : 'integrity'}`, evidence: { allowOrigin, crossorigin, ...digests } };
}
