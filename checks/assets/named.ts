/** Says which files a style sheet or a module wants. Pure. */
import { cssUrls, LONGEST_SHEET, MOST_URLS } from '../../src/parse/css-urls.ts';
import { moduleImports } from '../../src/parse/module-imports.ts';
import { requiredBy, type Context, type Named, type PageRequirements, type RequiredFile } from './required-files.ts';

interface NamedFiles extends PageRequirements {
  /** Whether all that it names was read. */
  readonly whole: boolean;
}

/** What a style sheet or a module names; `null` for what names nothing. */
export function namedIn(file: RequiredFile, text: string, context: Context): NamedFiles | null {
  if (file.kind === 'style') {
    const urls = cssUrls(text);
    const named = urls.filter(({ fallback }) => fallback !== true);
    return { ...requiredBy(named, context), whole: urls.length < MOST_URLS };
  }
  const chunk = file.kind === 'chunk' || file.kind === 'modulepreload';
  if (!file.module && !chunk) return null;
  const { first, later, mapped, cut } = moduleImports(text.slice(0, LONGEST_SHEET));
  const named = [
    ...scripts(first, text).map((each) => ({ ...each, chunk })),
    ...scripts(later, text).map((each) => ({ ...each, chunk: true })),
  ].map((each) => ({ ...each, async: file.aside !== null }));
  const imported = requiredBy(named, context);
  const ahead = scripts(mapped, text).map((each) => requiredByMap(each, context));
  return {
    wanted: [...imported.wanted, ...ahead.flatMap(({ wanted: required }) => required)],
    insecure: [...imported.insecure, ...ahead.flatMap(({ insecure }) => insecure)],
    whole: cut !== true,
  };
}

/** Modules that a text names in this order, each looked for from the one before it on. */
function scripts(urls: readonly string[], text: string): readonly Named[] {
  let from = 0;
  return urls.map((url) => {
    from = Math.max(from, text.indexOf(url, from));
    return { kind: 'script', url, offset: from, module: true };
  });
}

/** What Vite loads ahead of a chunk: scripts and style sheets, by a way from the module or from the base of the build. */
function requiredByMap(script: Named, context: Context): PageRequirements {
  const { url } = script;
  const style = /\.css$/i.test(url);
  const named: Named = { ...script, ...(style ? { kind: 'style', module: false } : { chunk: true }) };
  if (/^(?:\.{0,2}\/|https?:)/i.test(url)) return requiredBy([named], context);
  const bases = basesOf(url, context);
  const { wanted: required, insecure } = requiredBy([named], { ...context, base: bases[0] });
  const [, ...others] = bases.map((base) => new URL(url, base));
  return { insecure, wanted: required.map((file) => ({ ...file, urls: [file.urls[0], ...others] })) };
}

const MOST_BASES = 4;

/**
 * Where the base of a build may be, the likeliest first: above the folder that the module and the file have in common,
 * in the folder of the page, above the module.
 */
function basesOf(url: string, { base: module, page }: Context): readonly [URL, ...URL[]] {
  const folder = new URL('./', module);
  const parts = folder.pathname.split('/').slice(1, -1);
  const common = parts.lastIndexOf(url.split('/', 1)[0] ?? '');
  const above = (depth: number): URL => new URL(`/${parts.slice(0, depth).join('/')}/`.replace('//', '/'), folder);
  const known = common === -1 ? [] : [above(common)];
  const found = [...known, new URL('./', page), ...[1, 2, 0].map((up) => above(Math.max(0, parts.length - up)))];
  const distinct = new Map(found.map((each) => [each.href, each]));
  const [first = folder, ...more] = [...distinct.values()].slice(0, MOST_BASES);
  return [first, ...more];
}
