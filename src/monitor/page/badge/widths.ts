/** How wide a text is in the badge's type: Verdana, or DejaVu Sans where there is none, at 11 pixels. */

/** Letters by their width, in tenths of a pixel; as measured. */
const WIDTHS = new Map<string, number>(
  (
    [
      [31, `'ijlIJ`],
      [36, ' \u00a0,.’·/:;\\|'],
      [41, 'f-rt()[]!'],
      [55, '"*_`–°s“”'],
      [60, '?zcLoe'],
      [65, 'FkvxyP'],
      [70, 'TYa«»$0123456789ESbdghnpquK{}'],
      [76, 'ABVXZRC'],
      [83, 'UNHDG&OQ'],
      [91, 'w#+<=>^~M'],
      [108, '%mW@—…œŒ'],
    ] as const
  ).flatMap(([width, letters]) => Array.from(letters, (letter) => [letter, width] as const)),
);

/** What takes the place of two: Chinese, Japanese, Korean, most emoji. */
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\p{Emoji_Presentation}]/u;
const FULL_WIDTH = 112;
/** Of letters that are not in the list: Greek, Cyrillic and others. */
const OTHER_WIDTH = 70;

/** Pixels, rounded up. Accents are as wide as what they stand on; texts are stretched to it, which is not seen. */
export function widthOf(text: string): number {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const tenths = Array.from(plain, tenthsOf).reduce((sum, width) => sum + width, 0);
  return Math.ceil(tenths / 10);
}

function tenthsOf(character: string): number {
  return WIDTHS.get(character) ?? (FULL.test(character) ? FULL_WIDTH : OTHER_WIDTH);
}
