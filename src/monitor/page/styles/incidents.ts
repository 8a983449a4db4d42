/** Incidents with their clocks and fixes, and maintenance. */
export const INCIDENTS = `
.incident { border-inline-start: 4px solid var(--fill); }
.incident + .incident { margin-top: 1rem; }
.incident h1 { font-size: clamp(1.4rem, 4.5vw, 1.875rem); }
.incident h1 .sign { vertical-align: -.12em; margin-inline-end: .25rem; }
.incident h2 { margin: 1.6rem 0 .8rem; }
.incident h3 { font-size: 1.1875rem; }
.incident h3 .sign { vertical-align: -.18em; margin-inline-end: .2rem; }
.clocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11.5rem), 1fr)); gap: .6rem; margin-top: 1rem; }
.clocks div { padding: .6rem .85rem; border: 1px solid var(--line); border-radius: 9px; background: var(--page); }
.clocks dt { color: var(--quiet); font-size: .8125rem; }
.clocks dd { font-size: .9375rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.clocks .open dd { color: var(--quiet); font-weight: 400; }
.clocks time { white-space: nowrap; }
.clocks .note { color: var(--quiet); font-size: .8125rem; font-weight: 400; }
@media (max-width: 28rem) {
  .clocks { gap: 0; border: 1px solid var(--line); border-radius: 9px; background: var(--page); }
  .clocks div { padding: .5rem .8rem; border: 0; background: none; }
  .clocks div + div { border-top: 1px solid var(--line); border-radius: 0; }
}
.objective { margin-top: .85rem; font-weight: 600; }
.objective .sign { margin-inline-end: .2rem; }
.notes { margin-top: .8rem; }
.notes li + li { margin-top: .3rem; }
.findings { margin-top: 1rem; }
.findings > li { padding-block: .9rem; border-top: 1px solid var(--line); }
.findings > li:last-child { padding-bottom: 0; }
h2 + .findings { margin-top: 0; }
.findings p { max-width: 46rem; text-wrap: pretty; }
.findings p code { padding: .08em .28em; border-radius: 4px; background: var(--sunk); }
.findings p .code { display: inline-block; margin-inline-end: .3rem; padding: 0; background: none; color: var(--quiet); }
.incident + .past { margin-top: 1rem; }
.fix { margin-top: .5rem; padding: .1rem 0 .1rem .9rem; border-inline-start: 3px solid var(--pass); }
.fix strong { color: var(--pass); }
.frame { overflow-x: auto; margin-top: .5rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 6px; font-size: .8125rem; line-height: 1.4; }
.facts { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin-top: .5rem; color: var(--quiet); font-size: .875rem; }
.past { border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.past > li { padding: .85rem 1.1rem; font-variant-numeric: tabular-nums; }
.past > li + li { border-top: 1px solid var(--line); }
.past h3, .past h4 { font-size: 1rem; }
.past p { font-size: .9375rem; }
.windows { display: grid; gap: .6rem; }
.windows li { display: flex; gap: .7rem; padding: .8rem 1.1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--fill); border-radius: 10px; background: var(--card); font-variant-numeric: tabular-nums; }
.windows .sign { margin-top: .28rem; }
.windows div { min-width: 0; }
`;
