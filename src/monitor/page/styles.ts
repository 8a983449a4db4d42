/** The styles of the status page alone. Stacked accents of texts from elsewhere are clipped. */
export const PAGE_STYLES = `
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1.5rem; margin-bottom: 1.25rem; }
.brand { color: var(--text); font-size: 1.0625rem; font-weight: 650; text-decoration: none; }
.brand:hover { text-decoration: underline; }
.languages ul, footer ul { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .9375rem; }
.languages a, .languages span, .back a, footer a { display: inline-block; padding-block: .25rem; }
.languages span { color: var(--text); font-weight: 600; }
.skip-link { position: absolute; inset-inline-start: 1rem; top: -10rem; z-index: 1; padding: .5rem 1rem; border-radius: 0 0 8px 8px; background: var(--card); }
.skip-link:focus { top: 0; }
main:focus { outline: none; }
main > section.verdict:first-child, .back + section.verdict { margin-top: 0; }
h1 { font-size: clamp(1.625rem, 5.5vw, 2.5rem); line-height: 1.15; font-weight: 700; letter-spacing: -.022em; text-wrap: balance; }
.verdict h1 { color: var(--tone); }
h1.plain { margin: 1rem 0 1.5rem; }
.verdict .site { display: inline-block; margin-top: .5rem; }
.as-of { margin-top: .8rem; color: var(--quiet); font-size: .9375rem; }
.ago::before, .as-of .refresh::before { content: "· "; }
.refresh::before { display: inline-block; white-space: pre; }
.refresh { white-space: nowrap; }
.aged { visibility: hidden; height: 0; overflow: hidden; animation: age 0s linear 120s forwards; }
@keyframes age { to { margin-top: .6rem; visibility: visible; height: auto; } }
.tags { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .7rem; font-size: .8125rem; }
.tags li { padding: .05rem .6rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); color: var(--quiet); }
.troubles { margin-top: 1rem; padding: .75rem 1rem; border: 1px solid var(--unknown); border-radius: 10px; background: var(--unknown-tint); --fill: var(--unknown-fill); }
main > .back { margin: -.4rem 0 .7rem; font-size: .9375rem; }
div.card, li.card, .incident { padding: 1.1rem clamp(1rem, 3vw, 1.35rem); }
.quiet, .legend { color: var(--quiet); }
.legend { max-width: 46rem; font-size: .875rem; text-wrap: pretty; }
.more { margin-top: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h3 { font-size: 1.0625rem; line-height: 1.4; font-weight: 650; }
details { margin-top: .8rem; }
summary { width: fit-content; padding-block: .2rem; color: var(--link); font-size: .9375rem; }
th:first-child, td:first-child { padding-inline-start: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
.numbers td, .numbers thead th:not(:first-child) { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.brand, .verdict h1, .troubles li, .tags li, .incident h3, .incident h1, .incident > p, .notes li, .facts li, .findings p, .past h3, .past p, .line h3, .line h4, .group > h3, .compact li, .windows p, td, th { overflow: clip; overflow-clip-margin: .35em; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .4rem 2rem; }
#_sites { margin-bottom: .4rem; }
#_sites + .legend { margin-bottom: 1.1rem; }
.sites { display: grid; gap: .85rem; }
@media (min-width: 48rem) { .sites.dense { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.line { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .1rem 1.25rem; }
.line h3, .line h4 { min-width: 0; font-size: 1.0625rem; }
.line a, .compact a, .past h3 a, .incident h3 a, .windows a { color: var(--text); text-decoration-color: var(--line); }
.line a:hover, .compact a:hover, .past h3 a:hover, .incident h3 a:hover { text-decoration-color: currentcolor; }
.kind { white-space: nowrap; }
.kind .word { color: var(--tone); font-weight: 600; }
.group + .group { margin-top: 2rem; }
.group > h3 { margin-bottom: .6rem; }
.group > h3 .quiet { font-weight: 400; }
.compact { columns: 17rem; column-gap: 2rem; font-size: .9375rem; }
.compact li { display: flex; gap: .55rem; align-items: baseline; padding: .22rem 0; break-inside: avoid; }
.compact .kind, .compact .share { flex: none; }
.compact .kind.pass .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.compact .kind:not(.pass) .word { font-size: .8125rem; }
.compact a { min-width: 0; overflow-wrap: anywhere; }
.compact .share { margin-inline-start: auto; color: var(--quiet); font-variant-numeric: tabular-nums; }
.checks tbody th { font-weight: 550; }
.checks tbody td:last-child { color: var(--quiet); font-size: .875rem; }
.result a { color: inherit; }
.table-title { margin-top: 1.2rem; font-size: 1rem; }
.last-checks { margin-top: .3rem; }
.last-checks td:last-child, .last-checks th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
.card:target { border-color: var(--link); }
#_findings ~ .card + .card { margin-top: .85rem; }
.card > .findings { margin-top: 0; }
.card > .findings > li:first-child { padding-top: 0; border-top: 0; }
.bars { display: block; width: 100%; height: 2.5rem; margin-top: .7rem; overflow: visible; }
.bars .well { fill: light-dark(#5fb878, #2f8a50); }
.bars .down { fill: var(--fail-fill); }
.bars .degraded, .bars .stale { fill: var(--warn-fill); }
.bars .maintenance { fill: var(--note-fill); opacity: .45; }
.bars .unknown { fill: var(--unknown-fill); opacity: .45; }
.bars .none { fill: var(--skip-fill); opacity: .45; }
.bars .reach { fill: transparent; }
.bars g:hover .reach { fill: var(--line); }
.ends { display: flex; justify-content: space-between; gap: .75rem; margin-top: .35rem; color: var(--quiet); font-size: .8125rem; }
.ends strong { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; text-align: center; }
.ends + .legend { margin-top: .8rem; }
.response figcaption { margin-bottom: .9rem; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: .3rem .6rem; }
.scale, .marks { display: flex; justify-content: space-between; color: var(--quiet); font-size: .75rem; font-variant-numeric: tabular-nums; }
.scale { flex-direction: column; margin-block: -.55em; line-height: 1.1; text-align: end; white-space: nowrap; }
.marks { grid-column: 2; }
.plot svg { display: block; width: 100%; min-width: 0; height: clamp(8rem, 26vw, 12rem); overflow: visible; }
.plot path { fill: none; vector-effect: non-scaling-stroke; }
.plot .grid { stroke: var(--line); stroke-width: 1; }
.plot .p95 { fill: var(--note-fill); opacity: .2; }
.plot .mean { stroke: var(--note-fill); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.plot .span.down { fill: var(--fail-tint); }
.plot .span.degraded { fill: var(--warn-tint); }
.plot .span.maintenance { fill: var(--sunk); }
.plot .foot.down { fill: var(--fail-fill); }
.plot .foot.degraded { fill: var(--warn-fill); }
.plot .foot.maintenance { fill: var(--skip-fill); }
.keys { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin-top: .6rem; color: var(--quiet); font-size: .8125rem; }
.keys li { white-space: nowrap; }
.keys li::before { content: ""; display: inline-block; width: 1rem; height: .25rem; margin-inline-end: .4rem; border-radius: 2px; }
.keys .mean::before { height: 2px; margin-bottom: .25rem; background: var(--note-fill); }
.keys .p95::before { height: .6rem; background: var(--note-fill); opacity: .3; }
.keys .bad::before { background: var(--fail-fill); }
.keys .maintenance::before { background: var(--skip-fill); }
.incident { border: 1px solid var(--line); border-inline-start: 4px solid var(--fill); border-radius: 12px; background: var(--card); }
.incident + .incident, .incident + .past { margin-top: 1rem; }
.incident h1 { font-size: clamp(1.4rem, 4.5vw, 1.875rem); }
.incident h2 { margin: 1.6rem 0 .8rem; }
.incident h3 { font-size: 1.1875rem; }
.incident :is(h1, h3) .sign { vertical-align: -.15em; margin-inline-end: .2rem; }
.clocks dd { font-size: .9375rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.clocks .open dd { color: var(--quiet); font-weight: 400; }
.clocks time { white-space: nowrap; }
.clocks .note { color: var(--quiet); font-size: .8125rem; font-weight: 400; }
.objective { margin-top: .85rem; font-weight: 600; }
.objective .sign { margin-inline-end: .2rem; }
.notes { margin-top: .8rem; }
.notes li + li { margin-top: .3rem; }
.findings { margin-top: 1rem; }
.findings > li { padding-block: .9rem; border-top: 1px solid var(--line); }
.findings > li:last-child { padding-bottom: 0; }
h2 + .findings { margin-top: 0; }
.findings p { max-width: 46rem; text-wrap: pretty; }
.findings p .code { display: inline-block; margin-inline-end: .3rem; padding: 0; background: none; color: var(--quiet); }
.frame { overflow-x: auto; margin-top: .5rem; padding: .5rem .75rem; font-size: .8125rem; line-height: 1.4; }
.facts { color: var(--quiet); }
.past > li { padding: .85rem 1.1rem; font-variant-numeric: tabular-nums; }
.past > li + li { border-top: 1px solid var(--line); }
.past h3 { font-size: 1rem; }
.past p { font-size: .9375rem; }
.windows { display: grid; gap: .6rem; }
.windows li { display: flex; gap: .7rem; padding: .8rem 1.1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--fill); border-radius: 10px; background: var(--card); font-variant-numeric: tabular-nums; }
.windows .sign { margin-top: .28rem; }
.windows div { min-width: 0; }
@media (max-width: 36rem) {
  .checks tbody tr { grid-template-columns: 1fr auto; }
  .checks tbody td:last-child { grid-column: 1 / 3; }
}
@media (max-width: 28rem) {
  .verdict { flex-direction: column; }
  .numbers { font-size: .875rem; }
  .numbers th, .numbers td { padding-inline: .3rem; }
  .ends { flex-wrap: wrap; gap: 0 .75rem; }
  .ends strong { order: -1; flex-basis: 100%; text-align: start; }
  .clocks { gap: 0; border: 1px solid var(--line); border-radius: 9px; background: var(--page); }
  .clocks div { padding: .5rem .8rem; border: 0; background: none; }
  .clocks div + div { border-top: 1px solid var(--line); border-radius: 0; }
}
@media (forced-colors: active) {
  .bars path, .bars rect { fill: GrayText; }
  .bars .down, .bars .degraded, .bars .stale, .plot .foot { fill: CanvasText; }
  .bars .reach { fill: transparent; }
  .plot .mean { stroke: CanvasText; }
  .plot .span { fill: none; }
  .keys li::before { background: CanvasText; forced-color-adjust: none; }
}
@media print {
  .past > li, .findings > li { break-inside: avoid; }
}
`;
