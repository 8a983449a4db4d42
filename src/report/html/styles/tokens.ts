/**
 * Colours and type. Every text colour has a contrast of at least 4.5:1 on each of the backgrounds (WCAG 2.2, 1.4.3);
 * paper is always light.
 */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5;
  --card: #ffffff;
  --sunk: #f3f4f2;
  --text: #1b1f24;
  --quiet: #57606a;
  --line: #dfe1dd;
  --link: #0a58b8;
  --sign: #ffffff;
  --pass: #1a7f37;
  --pass-fill: #1f8a41;
  --pass-tint: #edf7ef;
  --warn: #8a5300;
  --warn-fill: #bd7500;
  --warn-tint: #fdf4e3;
  --fail: #b42318;
  --fail-fill: #cc2f22;
  --fail-tint: #fdf0ee;
  --unknown: #6b3fc0;
  --unknown-fill: #7a4fd0;
  --unknown-tint: #f4f0fc;
  --skip: #5f6771;
  --skip-fill: #7b848d;
  --skip-tint: #f1f2f3;
  --note: #0a58b8;
  --note-fill: #1667c9;
  --note-tint: #edf4fd;
  --stale: #8a5300;
  --stale-fill: #bd7500;
  --stale-tint: #fdf4e3;
  --mark: #ffd9d3;
  --mark-text: #7a1209;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f1215;
    --card: #171b1f;
    --sunk: #1e2328;
    --text: #e6e8ea;
    --quiet: #a3adb7;
    --line: #2d343b;
    --link: #82b8ff;
    --sign: #101316;
    --pass: #63cf84;
    --pass-fill: var(--pass);
    --pass-tint: #13251a;
    --warn: #f0b44c;
    --warn-fill: var(--warn);
    --warn-tint: #292110;
    --fail: #ff8d80;
    --fail-fill: var(--fail);
    --fail-tint: #2e1917;
    --unknown: #c2a5ff;
    --unknown-fill: var(--unknown);
    --unknown-tint: #221b33;
    --skip: #98a2ac;
    --skip-fill: var(--skip);
    --skip-tint: #1f242a;
    --note: #82b8ff;
    --note-fill: var(--note);
    --note-tint: #14222f;
    --stale: #f0b44c;
    --stale-fill: var(--stale);
    --stale-tint: #292110;
    --mark: #6e2119;
    --mark-text: #ffe3df;
  }
}
.pass { --tone: var(--pass); --fill: var(--pass-fill); --tint: var(--pass-tint); }
.warn { --tone: var(--warn); --fill: var(--warn-fill); --tint: var(--warn-tint); }
.fail { --tone: var(--fail); --fill: var(--fail-fill); --tint: var(--fail-tint); }
.unknown { --tone: var(--unknown); --fill: var(--unknown-fill); --tint: var(--unknown-tint); }
.skip { --tone: var(--skip); --fill: var(--skip-fill); --tint: var(--skip-tint); }
.note { --tone: var(--note); --fill: var(--note-fill); --tint: var(--note-tint); }
.stale { --tone: var(--stale); --fill: var(--stale-fill); --tint: var(--stale-tint); }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0;
  padding: clamp(1rem, 4vw, 3rem) clamp(1rem, 4vw, 2rem) 3rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere;
}
main, footer { max-width: 60rem; margin-inline: auto; }
main > section, main > nav { margin-top: 2.75rem; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2 { margin-bottom: .9rem; font-size: 1.25rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
a { color: var(--link); text-decoration-thickness: from-font; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, .facts dd, time { font-variant-numeric: tabular-nums; }
code { font-family: var(--mono); font-size: .875em; }
.sign { flex: none; vertical-align: -.14em; }
.sign circle { fill: var(--fill); }
.sign path { fill: none; stroke: var(--sign); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.times, .aside, .left-out { color: var(--quiet); font-weight: 400; }
.times, .aside { font-size: .9em; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
`;
