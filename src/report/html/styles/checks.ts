/** The numbers, the table of all checks, the list of findings. On narrow screens each row of the table becomes two lines. */
export const CHECKS = `
.cells { display: flex; gap: 3px; }
.cells span { flex: 1; height: 8px; background: var(--fill); }
.cells span:first-child { border-radius: 4px 0 0 4px; }
.cells span:last-child { border-radius: 0 4px 4px 0; }
.cells span:only-child { border-radius: 4px; }
.cells .skip { opacity: .45; }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 1.4rem; margin: .65rem 0 1.1rem; font-size: .9375rem; }
.counts b { font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); font-size: .9375rem; line-height: 1.4; }
th { padding: .55rem .75rem; color: var(--quiet); font-size: .8125rem; font-weight: 500; text-align: start; }
td { padding: .6rem .75rem; border-top: 1px solid var(--line); vertical-align: baseline; }
th:first-child, td:first-child { padding-inline-start: 1rem; }
th:last-child, td:last-child { padding-inline-end: 1rem; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.status { white-space: nowrap; }
td.status .word, .check > h3 .word, .group .word { color: var(--tone); font-weight: 600; }
td.status .word { margin-inline-start: .25rem; }
td.title { min-width: 11rem; font-weight: 550; }
td.title a { color: var(--text); text-decoration-color: var(--line); }
td.title a:hover { text-decoration-color: currentcolor; }
td.target, td.time { color: var(--quiet); }
td.target .times { white-space: nowrap; font-size: .875em; }
td.target .times::before { content: "· "; }
.contents { display: flex; flex-wrap: wrap; gap: .4rem .5rem; }
.contents li { padding: .2rem .7rem .2rem .5rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); font-size: .9375rem; }
.contents a { color: var(--text); text-decoration: none; }
.contents a:hover { text-decoration: underline; }
@media (max-width: 40rem) {
  table, tbody, thead { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: grid; grid-template-columns: 1fr auto auto; gap: .1rem .75rem; padding: .65rem .9rem; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  tbody td, tbody td:first-child, tbody td:last-child { padding: 0; border: 0; }
  td.title { min-width: 0; grid-row: 1; grid-column: 1; }
  td.status { grid-row: 1; grid-column: 2 / 4; text-align: end; }
  td.target { grid-row: 2; grid-column: 1; }
  td.http { grid-row: 2; grid-column: 2; }
  td.time { grid-row: 2; grid-column: 3; }
}
`;
