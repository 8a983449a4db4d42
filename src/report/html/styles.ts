/** The styles that the HTML report and the status page share: colours, type, the verdict, cards, tables, fixes, paper. */

/** What a sign and its word stand for; each has a colour for text, one to fill with, and a tint for backgrounds. */
const TONES = ['pass', 'warn', 'fail', 'unknown', 'skip', 'note', 'stale'];

/**
 * Every text colour has a contrast of at least 4.5:1 on each of the backgrounds, in the light and in the dark
 * (WCAG 2.2, 1.4.3).
 */
const TOKENS = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f7f5, #0f1215);
  --card: light-dark(#ffffff, #171b1f);
  --sunk: light-dark(#f3f4f2, #1e2328);
  --text: light-dark(#1b1f24, #e6e8ea);
  --quiet: light-dark(#57606a, #a3adb7);
  --line: light-dark(#dfe1dd, #2d343b);
  --link: light-dark(#0a58b8, #82b8ff);
  --sign: light-dark(#ffffff, #101316);
  --pass: light-dark(#1a7f37, #63cf84);
  --pass-fill: light-dark(#1f8a41, #63cf84);
  --pass-tint: light-dark(#edf7ef, #13251a);
  --warn: light-dark(#8a5300, #f0b44c);
  --warn-fill: light-dark(#bd7500, #f0b44c);
  --warn-tint: light-dark(#fdf4e3, #292110);
  --fail: light-dark(#b42318, #ff8d80);
  --fail-fill: light-dark(#cc2f22, #ff8d80);
  --fail-tint: light-dark(#fdf0ee, #2e1917);
  --unknown: light-dark(#6b3fc0, #c2a5ff);
  --unknown-fill: light-dark(#7a4fd0, #c2a5ff);
  --unknown-tint: light-dark(#f4f0fc, #221b33);
  --skip: light-dark(#5f6771, #98a2ac);
  --skip-fill: light-dark(#7b848d, #98a2ac);
  --skip-tint: light-dark(#f1f2f3, #1f242a);
  --note: var(--link);
  --note-fill: light-dark(#1667c9, #82b8ff);
  --note-tint: light-dark(#edf4fd, #14222f);
  --stale: var(--warn);
  --stale-fill: var(--warn-fill);
  --stale-tint: var(--warn-tint);
  --mark: light-dark(#ffd9d3, #6e2119);
  --mark-text: light-dark(#7a1209, #ffe3df);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace;
}
${TONES.map((tone) => `.${tone} { --tone: var(--${tone}); --fill: var(--${tone}-fill); --tint: var(--${tone}-tint); }`).join('\n')}
`;

const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0;
  padding: clamp(.75rem, 2vw, 1.5rem) clamp(1rem, 4vw, 2rem) 3rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere;
}
.top, main, footer { max-width: 60rem; margin-inline: auto; }
main > section, main > nav { margin-top: 2.5rem; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2 { margin-bottom: .9rem; font-size: 1.25rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h4 { font-size: 1rem; line-height: 1.4; font-weight: 600; }
a { color: var(--link); text-decoration-thickness: from-font; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, .facts dd, time { font-variant-numeric: tabular-nums; }
code { font-family: var(--mono); font-size: .875em; }
.sign { flex: none; vertical-align: -.14em; }
.sign circle { fill: var(--fill); }
.sign path { fill: none; stroke: var(--sign); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.verdict { display: flex; gap: clamp(.9rem, 3vw, 1.4rem); padding: clamp(1.15rem, 4vw, 2rem); border: 1px solid var(--tone); border-radius: 16px; background: var(--tint); }
.verdict > .sign { margin-top: .15rem; width: clamp(2.25rem, 8vw, 3.25rem); height: clamp(2.25rem, 8vw, 3.25rem); }
.verdict > div { min-width: 0; }
.verdict .site { color: var(--text); }
.meaning { margin-top: .6rem; max-width: 44rem; font-size: 1.0625rem; text-wrap: pretty; }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 1.3rem; margin-top: .7rem; font-size: .9375rem; font-variant-numeric: tabular-nums; }
table { width: 100%; border-spacing: 0; font-size: .9375rem; line-height: 1.4; }
th, td { padding: .55rem .75rem; border-top: 1px solid var(--line); text-align: start; vertical-align: baseline; font-weight: 400; }
thead th { border-top: 0; color: var(--quiet); font-size: .8125rem; }
.checks, .card { border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.checks th:first-child, .checks td:first-child { padding-inline-start: 1.1rem; }
.checks th:last-child, .checks td:last-child { padding-inline-end: 1.1rem; }
.result { white-space: nowrap; }
.result .word { color: var(--tone); font-weight: 600; }
.clocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr)); gap: .6rem; margin-top: 1rem; }
.clocks div { padding: .6rem .85rem; border: 1px solid var(--line); border-radius: 9px; background: var(--page); }
.clocks dt { color: var(--quiet); font-size: .8125rem; }
.fix { margin-top: .7rem; padding: .1rem 0 .1rem .9rem; border-inline-start: 3px solid var(--pass); max-width: 46rem; }
.fix strong { color: var(--pass); font-weight: 650; }
p code { padding: .08em .28em; border-radius: 4px; background: var(--sunk); }
.frame { border: 1px solid var(--line); border-radius: 8px; background: var(--sunk); }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin-top: .6rem; font-size: .875rem; line-height: 1.5; }
summary { cursor: pointer; }
`;

/** Narrow screens, paper, forced colours, less motion. */
const MEDIA = `
@media (max-width: 36rem) {
  .checks thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .checks, .checks tbody { display: block; }
  .checks tbody tr { display: grid; gap: .1rem .75rem; padding: .6rem 1rem; border-top: 1px solid var(--line); }
  .checks tbody tr:first-child { border-top: 0; }
  .checks tbody th, .checks tbody td, .checks tbody th:first-child, .checks tbody td:first-child, .checks tbody td:last-child { padding: 0; border: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media (forced-colors: active) {
  .sign circle { fill: CanvasText; }
  .sign path { stroke: Canvas; }
}
@page { margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --page: #fff; --sunk: #f6f6f4; }
  html { font-size: 10pt; }
  body { padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .top, main, footer { max-width: none; }
  main > section { margin-top: 1.75rem; }
  nav, .skip-link, .aged, .refresh { display: none; }
  h1, h2, h3, h4, thead, caption, summary, figcaption { break-after: avoid; }
  tr, .verdict, .clocks, .card { break-inside: avoid; }
  p { orphans: 2; widows: 2; }
  details::details-content { content-visibility: visible; block-size: auto; height: auto; display: block; }
  a { color: inherit; text-decoration: none; }
}
`;

/** One style sheet: what is shared, and a page's own. */
export function styleSheet(...own: readonly string[]): string {
  return [TOKENS, BASE, ...own, MEDIA].join('').replaceAll(/\n\s*/g, '\n').trimStart();
}
