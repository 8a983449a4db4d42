/** What stands around every page, the verdict, and the plain pieces. Stacked accents of what a site sends are clipped. */
export const FRAME = `
body { padding-top: clamp(.75rem, 2vw, 1.5rem); }
.top, main, footer { max-width: 60rem; margin-inline: auto; }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1.5rem; margin-bottom: 1.25rem; }
.brand { color: var(--text); font-size: 1.0625rem; font-weight: 650; text-decoration: none; }
.brand:hover { text-decoration: underline; }
.languages ul, footer ul { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .9375rem; }
.languages a, .languages span { display: inline-block; padding-block: .25rem; }
.languages span { color: var(--text); font-weight: 600; }
.skip-link { position: absolute; inset-inline-start: 1rem; top: -10rem; z-index: 1; padding: .5rem 1rem; border-radius: 0 0 8px 8px; background: var(--card); }
.skip-link:focus { top: 0; }
main:focus { outline: none; }
main > section { margin-top: 2.5rem; }
main > section.verdict:first-child, .back + section.verdict { margin-top: 0; }
.verdict { display: flex; gap: clamp(.9rem, 3vw, 1.4rem); padding: clamp(1.15rem, 4vw, 2rem); border: 1px solid var(--tone); border-radius: 16px; background: var(--tint); }
.verdict > .sign { margin-top: .15rem; width: clamp(2.25rem, 8vw, 3.25rem); height: clamp(2.25rem, 8vw, 3.25rem); }
.verdict > div { min-width: 0; }
h1 { font-size: clamp(1.625rem, 5.5vw, 2.5rem); line-height: 1.15; font-weight: 700; letter-spacing: -.022em; text-wrap: balance; }
.verdict h1 { color: var(--tone); }
h1.plain { margin: 1rem 0 1.5rem; }
.meaning { margin-top: .6rem; max-width: 44rem; font-size: 1.0625rem; text-wrap: pretty; }
.verdict .site { display: inline-block; margin-top: .5rem; color: var(--text); }
.counts { display: flex; flex-wrap: wrap; gap: .2rem 1.25rem; margin-top: .7rem; font-variant-numeric: tabular-nums; }
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
.back a { display: inline-block; padding-block: .25rem; }
.card, .incident { padding: 1.1rem clamp(1rem, 3vw, 1.35rem); border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.quiet, .legend { color: var(--quiet); }
.legend { max-width: 46rem; font-size: .875rem; text-wrap: pretty; }
.more { margin-top: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 28rem) { .verdict { flex-direction: column; } }
h3 { font-size: 1.0625rem; line-height: 1.4; font-weight: 650; }
h4 { font-size: 1rem; line-height: 1.4; font-weight: 600; }
details { margin-top: .8rem; }
summary { width: fit-content; padding-block: .2rem; color: var(--link); font-size: .9375rem; cursor: pointer; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem; border-top: 1px solid var(--line); text-align: start; vertical-align: baseline; font-weight: 400; }
thead th { border-top: 0; color: var(--quiet); font-size: .8125rem; }
th:first-child, td:first-child { padding-inline-start: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
@media (max-width: 28rem) { .numbers { font-size: .875rem; } .numbers th, .numbers td { padding-inline: .3rem; } }
.numbers td, .numbers thead th:not(:first-child) { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.brand, .verdict h1, .troubles li, .tags li, .incident h3, .incident h1, .incident > p, .notes li, .facts li, .findings p, .past h3, .past p, .line h3, .line h4, .group > h3, .compact li, .windows p, td, th { overflow: clip; overflow-clip-margin: .35em; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .4rem 2rem; }
footer a { display: inline-block; padding-block: .15rem; }
`;
