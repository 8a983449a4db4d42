/** The styles of the HTML report alone. */
export const REPORT_STYLES = `
.verdict { margin-top: .5rem; }
h1 { font-size: 1.0625rem; line-height: 1.35; font-weight: 500; }
h1 .word { display: block; margin-top: -.12em; color: var(--tone); font-size: clamp(1.75rem, 6vw, 2.375rem); line-height: 1.2; font-weight: 700; letter-spacing: -.02em; }
.summary { margin-top: .2rem; color: var(--quiet); }
.interrupted { margin-top: .6rem; }
.run { display: flex; flex-wrap: wrap; gap: .9rem 2.25rem; margin: 1.25rem 0 0; padding-inline: .25rem; }
.run dt { color: var(--quiet); font-size: .8125rem; }
.run dd { font-size: .9375rem; }
.waiting > p { max-width: 44rem; }
.timeline { display: block; margin: 1.1rem 0 .5rem; overflow: visible; }
.timeline line { stroke: var(--line); stroke-width: 3; stroke-linecap: round; }
.timeline .done { stroke: var(--pass); }
.timeline circle { fill: var(--pass); stroke: var(--page); stroke-width: 2; }
.clocks div { background: var(--card); }
.clocks dd { font-size: 1.375rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.clocks .skip dd { color: var(--quiet); font-size: 1.0625rem; font-weight: 500; }
.cells { display: flex; gap: 3px; }
.cells span { flex: 1; height: 8px; background: var(--fill); }
.cells span:first-child { border-radius: 4px 0 0 4px; }
.cells span:last-child { border-radius: 0 4px 4px 0; }
.cells span:only-child { border-radius: 4px; }
.cells .skip { opacity: .45; }
.counts { margin-bottom: 1.1rem; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.checks > h3 .word, .check > h3 .word, .group .word { color: var(--tone); font-weight: 600; }
td .word { margin-inline-start: .25rem; }
td.title { min-width: 11rem; font-weight: 550; }
td.title a { color: var(--text); text-decoration-color: var(--line); }
td.title a:hover { text-decoration-color: currentcolor; }
td.target, td.time { color: var(--quiet); }
td.target .times { white-space: nowrap; font-size: .875em; }
td.target .times::before { content: "· "; }
.times, .aside, .left-out { color: var(--quiet); font-weight: 400; }
.times, .aside { font-size: .9em; }
.contents { display: flex; flex-wrap: wrap; gap: .4rem .5rem; }
.contents li { padding: .2rem .7rem .2rem .5rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); font-size: .9375rem; }
.contents a { color: var(--text); text-decoration: none; }
.contents a:hover { text-decoration: underline; }
article.check { padding: 1.25rem clamp(1rem, 3vw, 1.5rem) 1.35rem; }
article.check + article.check { margin-top: 1.25rem; }
h3 { font-size: 1.125rem; line-height: 1.35; font-weight: 650; letter-spacing: -.005em; }
h3 .sign { vertical-align: -.22em; margin-inline-end: .2rem; }
.skipped h3, summary h3 { font-size: 1rem; font-weight: 600; }
.skipped h3 .sign { vertical-align: -.14em; }
h3 .word { margin-inline-start: .35rem; font-size: .9375rem; }
.asked { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin-top: .3rem; color: var(--quiet); font-size: .875rem; font-variant-numeric: tabular-nums; }
.group { margin-top: 1.2rem; padding-top: 1.15rem; border-top: 1px solid var(--line); }
h4 a { color: inherit; text-decoration: none; }
h4 a:hover { text-decoration: underline; }
h4 .word { margin-inline-start: .3rem; font-size: .875rem; }
.problem { margin-top: .4rem; max-width: 46rem; text-wrap: pretty; }
.fix strong { font-size: .875rem; }
.fix p { text-wrap: pretty; }
.action { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9375rem; }
.action strong { color: var(--text); font-weight: 600; }
.action strong::after { content: " · "; }
.member, .members { margin-top: .9rem; }
.members .member { margin-top: 0; padding-block: .75rem; border-top: 1px dashed var(--line); }
.members > li:first-child .member { padding-top: 0; border-top: 0; }
.members .member > .facts:first-child { margin-top: 0; }
.members .member:not(:has(> .place, > .frame, > .also)) { padding-block: .2rem; border-top: 0; }
.place { font-weight: 600; }
.place code { padding: 0; background: none; }
.frame { overflow: hidden; }
.frame figcaption { padding: .35rem .9rem; border-bottom: 1px solid var(--line); font-size: .875rem; font-weight: 600; }
.frame ol { padding: .5rem 0; list-style: decimal; font-size: .9375rem; }
.frame li { margin-inline-start: 4.25em; padding-inline: .6em .9em; border-inline-start: 1px solid var(--line); line-height: 1.6; }
.frame li::marker { color: var(--quiet); font-family: var(--mono); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.frame li code { display: block; min-height: 1.6em; white-space: pre-wrap; }
.frame li.fault { border-inline-start: 3px solid var(--fail); background: var(--fail-tint); }
mark { padding: .1em .12em; border-radius: 3px; background: var(--mark); color: var(--mark-text); box-shadow: inset 0 -2px 0 var(--fail); }
mark.end { padding-inline: .2em; }
.facts div { display: flex; flex-wrap: wrap; gap: 0 .5rem; min-width: 0; max-width: 100%; }
.facts .long { flex-basis: 100%; flex-wrap: nowrap; }
.facts dt { min-width: 0; color: var(--quiet); }
.facts .long dt { flex: none; max-width: 40%; }
.facts dd { min-width: 0; font-family: var(--mono); font-size: .9375em; }
.facts dd i { color: var(--quiet); font-style: normal; font-family: var(--sans); }
.facts dd .words { font-family: var(--sans); }
.facts dd a { color: inherit; }
.entries > li + li { margin-top: .2rem; }
.pair { margin-inline-end: .5em; }
.also { display: flex; flex-wrap: wrap; gap: .1rem .5rem; margin-top: .45rem; font-size: .875rem; }
.also > p { color: var(--quiet); }
.also > ul { flex: 1; min-width: min(100%, 12rem); }
.also > details { flex-basis: 100%; }
.places { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; }
details.more > .members { margin-top: .6rem; }
.more > summary, .also summary { margin-top: .7rem; color: var(--link); font-size: .9375rem; }
.also summary { margin-top: .2rem; font-size: .875rem; }
.left-out { margin-top: .8rem; font-size: .9375rem; }
details.check + details.check { margin-top: .5rem; }
details.check > summary { display: flex; align-items: center; gap: .55rem; padding: .6rem 1rem; border-radius: 11px; list-style: none; }
details.check > summary::-webkit-details-marker { display: none; }
details.check > summary::after { content: ""; width: .5rem; height: .5rem; margin-inline: auto .25rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(45deg) translate(-2px, -2px); }
details.check[open] > summary::after { transform: rotate(225deg) translate(-2px, -2px); }
summary .word { color: var(--note); font-size: .875rem; font-weight: 500; }
.inside { padding: .1rem 1rem 1.1rem; scroll-margin-top: 4rem; }
.skipped li { padding: .75rem 1rem; }
.skipped li + li { border-top: 1px solid var(--line); }
.skipped p { margin-top: .15rem; color: var(--quiet); font-size: .9375rem; text-wrap: pretty; }
:target { scroll-margin-top: 1rem; }
.group:target h4 a, h3:target { text-decoration: underline; text-decoration-color: var(--tone); text-decoration-thickness: 2px; }
.facts dt, .facts dd, .place, .places li, .asked li, .frame figcaption, .frame li code, td.target { overflow: clip; overflow-clip-margin: .35em; }
@media (max-width: 36rem) {
  .checks tbody tr { grid-template-columns: 1fr auto auto; }
  td.title { min-width: 0; grid-row: 1; grid-column: 1; }
  td.result { grid-row: 1; grid-column: 2 / 4; text-align: end; }
  td.target { grid-row: 2; grid-column: 1; }
  td.http { grid-row: 2; grid-column: 2; }
  td.time { grid-row: 2; grid-column: 3; }
  .run { display: grid; grid-template-columns: repeat(2, 1fr); gap: .8rem 1.25rem; }
}
@media (forced-colors: active) {
  .cells span { background: CanvasText; }
  .frame li.fault { border-color: Mark; }
  mark { background: Mark; color: MarkText; forced-color-adjust: none; }
}
@media print {
  .place, .asked { break-after: avoid; }
  .skipped li, .places li, .frame li, .facts div:not(.long), .entries > li { break-inside: avoid; }
  article.check, details.check { break-inside: auto; }
  details.check > summary::after, .more > summary, .also summary { display: none; }
  a.live::after { content: " <" attr(href) ">"; font-size: .9em; }
}
`;
