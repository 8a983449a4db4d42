/** Says which files a style sheet or a module wants. Pure. */
import { cssUrls } from '../../src/parse/css-urls.ts';
import { moduleImports } from '../../src/parse/module-imports.ts';
import { wantedBy, type Context, type Named, type PageWants, type Wanted } from './wanted.ts';

/** What a style sheet or a module names; `null` for what names nothing. */
export function namedIn(file: Wanted, text: string, context: Context): (PageWants & { readonly text: string }) | null {
  if (file.kind === 'style') return { ...wantedBy(cssUrls(text), context), text };
  const chunk = file.kind === 'chunk' || file.kind === 'modulepreload';
  if (!file.module && !chunk) return null;
  const { first, later, mapped } = moduleImports(text);
  const scripts = [...first.map((url) => ({ url, chunk })), ...later.map((url) => ({ url, chunk: true }))];
  const named = scripts.map((each) => ({ ...script(each.url, text), chunk: each.chunk, async: file.aside !== null }));
  const imported = wantedBy(named, context);
  const ahead = mapped.map((url) => wantedByMap(url, text, context));
  return {
    wanted: [...imported.wanted, ...ahead.flatMap(({ wanted }) => wanted)],
    insecure: [...imported.insecure, ...ahead.flatMap(({ insecure }) => insecure)],
    text,
  };
}

function script(url: string, text: string): Named {
  return { kind: 'script', url, offset: Math.max(0, text.indexOf(url)), module: true };
}

/** What Vite loads ahead of a chunk: scripts and style sheets, by a way from the module or from the base of the build. */
function wantedByMap(url: string, text: string, context: Context): PageWants {
  const style = /\.css$/i.test(url);
  const named: Named = { ...script(url, text), ...(style ? { kind: 'style', module: false } : { chunk: true }) };
  if (/^(?:\.{0,2}\/|https?:)/i.test(url)) return wantedBy([named], context);
  const bases = basesOf(url, context);
  const { wanted, insecure } = wantedBy([named], { ...context, base: bases[0] });
  const [, ...others] = bases.map((base) => new URL(url, base));
  return { insecure, wanted: wanted.map((file) => ({ ...file, urls: [file.urls[0], ...others] })) };
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
