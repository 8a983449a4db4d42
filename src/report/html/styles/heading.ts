/** The verdict, the facts of the run, the clocks. */
export const HEADING = `
.verdict {
  display: flex;
  gap: 1.25rem;
  padding: clamp(1.1rem, 3vw, 1.75rem);
  border: 1px solid var(--tone);
  border-radius: 14px;
  background: var(--tint);
}
.verdict > div { min-width: 0; }
h1 { font-size: 1.0625rem; line-height: 1.35; font-weight: 500; }
h1 .word { display: block; margin-top: -.12em; color: var(--tone); font-size: clamp(1.75rem, 6vw, 2.375rem); line-height: 1.2; font-weight: 700; letter-spacing: -.02em; }
h1 .site { color: var(--text); }
.meaning { margin-top: .7rem; font-size: 1.0625rem; max-width: 44rem; text-wrap: pretty; }
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
.clocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: .75rem; }
.clocks div { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.clocks dt { color: var(--quiet); font-size: .875rem; }
.clocks dd { margin-top: .15rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.clocks .skip dd { color: var(--quiet); font-size: 1.0625rem; font-weight: 500; }
@media (max-width: 40rem) {
  .verdict { gap: .9rem; }
  .verdict > .sign { width: 2.25rem; height: 2.25rem; }
  .run { display: grid; grid-template-columns: repeat(2, 1fr); gap: .8rem 1.25rem; }
}
`;
