/** Bars of days and the plot of response times. What is stretched has no strokes that would be stretched with it. */
export const CHARTS = `
.bars { display: block; width: 100%; height: 2.5rem; margin-top: .7rem; overflow: visible; }
.bars .well { fill: var(--well); }
.bars .down { fill: var(--fail-fill); }
.bars .degraded, .bars .stale { fill: var(--warn-fill); }
.bars .maintenance { fill: var(--note-fill); opacity: .45; }
.bars .unknown { fill: var(--unknown-fill); opacity: .45; }
.bars .none { fill: var(--skip-fill); opacity: .45; }
.bars .reach { fill: transparent; }
.bars g:hover .reach { fill: var(--line); }
:root { --well: #5fb878; }
@media screen and (prefers-color-scheme: dark) { :root { --well: #2f8a50; } }
.ends { display: flex; justify-content: space-between; gap: .75rem; margin-top: .35rem; color: var(--quiet); font-size: .8125rem; }
.ends strong { color: var(--text); font-weight: 600; font-variant-numeric: tabular-nums; text-align: center; }
@media (max-width: 28rem) { .ends { flex-wrap: wrap; gap: 0 .75rem; } .ends strong { order: -1; flex-basis: 100%; text-align: start; } }
.ends + .legend { margin-top: .8rem; }
.response figcaption { margin-bottom: .9rem; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: .3rem .6rem; }
.scale { display: flex; flex-direction: column; justify-content: space-between; margin-block: -.55em; color: var(--quiet); font-size: .75rem; line-height: 1.1; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.plot svg { display: block; width: 100%; min-width: 0; height: clamp(8rem, 26vw, 12rem); overflow: visible; }
.marks { grid-column: 2; display: flex; justify-content: space-between; color: var(--quiet); font-size: .75rem; font-variant-numeric: tabular-nums; }
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
.keys li::before { content: ""; display: inline-block; width: 1rem; height: .6rem; margin-inline-end: .4rem; border-radius: 2px; }
.keys .mean::before { height: 2px; margin-bottom: .25rem; background: var(--note-fill); }
.keys .p95::before { background: var(--note-fill); opacity: .3; }
.keys .bad::before { height: .25rem; background: var(--fail-fill); }
.keys .maintenance::before { height: .25rem; background: var(--skip-fill); }
`;
