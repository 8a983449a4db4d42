/** Says which files a configuration names. Pure. */
import type { Json } from '../../src/check.ts';
import { requiredBy, type Context, type PageRequirements } from './required-files.ts';

type SettingKind = 'icon' | 'image' | 'style' | 'script' | 'font';

/** What the name of a setting says of the file it names, and the extensions that such a file has. */
const SETTINGS: readonly { names: RegExp; extensions: RegExp; kind: SettingKind }[] = [
  { names: /^(?:favicon|icon|icons)$/, extensions: /^(?:svg|png|jpe?g|gif|webp|avif|ico)$/, kind: 'icon' },
  {
    names: /^(?:logo|image|images|img|picture|banner|cover|avatar|background|hero|thumbnail)$/,
    extensions: /^(?:svg|png|jpe?g|gif|webp|avif|ico)$/,
    kind: 'image',
  },
  { names: /^(?:css|stylesheet|stylesheets|style|styles|theme|themes)$/, extensions: /^css$/, kind: 'style' },
  { names: /^(?:js|script|scripts|plugin|plugins|javascript)$/, extensions: /^m?js$/, kind: 'script' },
  { names: /^(?:font|fonts)$/, extensions: /^(?:woff2?|ttf|otf)$/, kind: 'font' },
];

/** A path or URL of one file: no white space, quotes, placeholders or line ends. */
const FILE = /^(?!data:)[^\s<>"'`{}|\\^]{1,1999}\.([a-z0-9]{2,5})(?:[?#][^\s<>"'`]*)?$/i;
const MOST_SETTINGS = 200;

interface Setting {
  readonly name: string;
  readonly value: string;
}

/**
 * The files that a configuration names: members, one level of nesting deep, whose name says that they are files and
 * whose value has such a file's extension. Engines have settings of their own, so nothing else is guessed.
 */
export function requiredByConfiguration(
  configuration: Readonly<Record<string, Json>>,
  text: string,
  context: Context,
): PageRequirements {
  const all = settingsOf(configuration).map((setting) => requiredBySetting(setting, text, context));
  return { wanted: all.flatMap(({ wanted: required }) => required), insecure: all.flatMap(({ insecure }) => insecure) };
}

function requiredBySetting({ name, value }: Setting, text: string, context: Context): PageRequirements {
  const kind = kindOf(name, value);
  if (kind === null) return { wanted: [], insecure: [] };
  const offset = Math.max(0, text.indexOf(JSON.stringify(value)));
  // A script of the configuration is loaded beside the bundle, which starts without it.
  const { wanted: required, insecure } = requiredBy([{ kind, url: value, offset, async: kind === 'script' }], context);
  return {
    insecure,
    wanted: required.map((file) => ({ ...file, urls: locations(value, file.urls[0], context), setting: name })),
  };
}

/** A leading slash means the site's base, then the origin. */
function locations(value: string, url: URL, { page }: Context): readonly [URL, ...URL[]] {
  if (!value.startsWith('/') || value.startsWith('//')) return [url];
  const own = new URL(`.${value}`, page);
  own.hash = '';
  return own.href === url.href ? [url] : [own, url];
}

function kindOf(name: string, value: string): SettingKind | null {
  const extension = FILE.exec(value)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const fits = SETTINGS.find(
    ({ names, extensions }) => words.some((word) => names.test(word)) && extensions.test(extension),
  );
  return fits?.kind ?? null;
}

function settingsOf(configuration: Readonly<Record<string, Json>>): readonly Setting[] {
  const found: Setting[] = [];
  const add = (name: string, value: Json | undefined): void => {
    if (typeof value === 'string' && found.length < MOST_SETTINGS) found.push({ name, value });
  };
  for (const [name, value] of Object.entries(configuration)) {
    add(name, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Array.isArray(value) ? (value as readonly Json[]).slice(0, MOST_SETTINGS) : [value]) {
      add(name, inner);
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
      // `logo: { dark: … }`: either name may say what it is.
      for (const [member, nested] of Object.entries(inner)) {
        for (const each of [nested].flat()) add(`${name}.${member}`, each);
      }
    }
  }
  return found;
}
