export interface CssUrl {
  /** `style`: an `@import`. `font`: of a `@font-face`. */
  readonly kind: 'style' | 'font' | 'image';
  /** With escapes undone. */
  readonly url: string;
  /** Of the `url(` or of the string in the text (UTF-16 code units). */
  readonly offset: number;
  /** A source of a `@font-face` that browsers load only where they cannot use the one before it. */
  readonly fallback?: true;
}

export const MOST_URLS = 2_000;
/** Longest part of a stylesheet that is read; regular expressions give up on much longer strings. In UTF-16 code units. */
export const LONGEST_SHEET = 1024 * 1024;

/** CSS Syntax, section 4. The strings of `image-set()` are URLs (CSS Images 4, section 2.4). */
const TOKEN =
  /\/\*|@(?:import|font-face|namespace)\b|\burl\(\s{0,50}(?:"((?:[^"\\\n]|\\[^])*)"|'((?:[^'\\\n]|\\[^])*)'|((?:[^\s"'()\\]|\\[\da-f]{1,6}\s|\\[^])*))\s{0,50}\)|"((?:[^"\\\n]|\\[^])*)"?|'((?:[^'\\\n]|\\[^])*)'?|\bimage-set\(|[{}();]/gi;

/** `url()` and `@import`, in order; the first 2,000 of the first 1,048,576 code units, none of them cut off. Linear. */
export function cssUrls(sheet: string): readonly CssUrl[] {
  const css = sheet.slice(0, LONGEST_SHEET);
  const tokens = new RegExp(TOKEN);
  const found: CssUrl[] = [];
  const state = { ...START };
  for (let token = tokens.exec(css); token !== null && found.length < MOST_URLS; token = tokens.exec(css)) {
    if (tokens.lastIndex === LONGEST_SHEET && sheet.length > LONGEST_SHEET) break;
    const [whole, ...parts] = token;
    if (whole === '/*') {
      const end = css.indexOf('*/', tokens.lastIndex);
      if (end === -1) break;
      tokens.lastIndex = end + 2;
      continue;
    }
    const url = parts.find((part) => part !== undefined);
    if (url === undefined) follow(whole.toLowerCase(), state);
    else {
      const kind = kindOf(state, whole.slice(0, 3).toLowerCase() === 'url');
      if (kind !== null && url !== '') {
        const fallback = kind === 'font' && state.font ? ({ fallback: true } as const) : {};
        found.push({ kind, url: unescaped(url), offset: token.index, ...fallback });
        state.font ||= kind === 'font' && !FOR_OLD_BROWSERS.test(url);
      }
      if (state.rule !== '@font-face') state.rule = '';
    }
  }
  return found;
}

/** No current browser uses such a font. */
const FOR_OLD_BROWSERS = /\.eot(?:[?#]|$)/i;

/** `blocks`: imports count before any block only; `set`: how many brackets are open from an `image-set(` on. */
const START = { rule: '', blocks: false, set: 0, font: false };

function follow(token: string, state: typeof START): void {
  if (token === '(' || token === ')') {
    if (state.set > 0) state.set += token === '(' ? 1 : -1;
    return;
  }
  if (token === 'image-set(') {
    state.set++;
    return;
  }
  state.set = 0;
  if (token.startsWith('@')) {
    state.rule = token;
    state.font = false;
  } else if (token === '{') state.blocks = true;
  else if (token === '}' || state.rule !== '@font-face') state.rule = '';
}

function kindOf({ rule, blocks, set }: typeof START, isUrl: boolean): CssUrl['kind'] | null {
  if (rule === '@import') return blocks ? null : 'style';
  // `type("image/avif")` has brackets of its own.
  if ((!isUrl && set !== 1) || rule === '@namespace') return null;
  return rule === '@font-face' ? 'font' : 'image';
}

/** CSS Syntax, section 4.3.7. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|(\r\n|[^]))/gi, (_, hex: string | undefined, other = '') => {
    if (hex === undefined) return /^[\r\n]/.test(other as string) ? '' : (other as string);
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
  });
}
