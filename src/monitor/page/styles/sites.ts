/** Lists of sites and of checks. */
export const SITES = `
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
.compact .kind { flex: none; }
.compact .kind.pass .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.compact .kind:not(.pass) .word { font-size: .8125rem; }
.compact a { min-width: 0; overflow-wrap: anywhere; }
.compact .share { flex: none; margin-inline-start: auto; color: var(--quiet); font-variant-numeric: tabular-nums; }
.checks { border: 1px solid var(--line); border-radius: 12px; border-spacing: 0; border-collapse: separate; background: var(--card); }
.checks th:first-child, .checks td:first-child { padding-inline-start: 1.1rem; }
.checks th:last-child, .checks td:last-child { padding-inline-end: 1.1rem; }
.checks tbody th { font-weight: 550; }
.checks .result { white-space: nowrap; }
.checks .result .word { color: var(--tone); font-weight: 600; }
.checks .when { color: var(--quiet); font-size: .875rem; }
.checks .result a { color: inherit; }
.table-title { margin-top: 1.2rem; font-size: 1rem; }
.last-checks { margin-top: .3rem; }
.last-checks .result { white-space: nowrap; }
.last-checks .result .word { color: var(--tone); font-weight: 600; }
.last-checks td:last-child, .last-checks th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
#_findings ~ .card + .card { margin-top: .85rem; }
.card > .findings { margin-top: 0; }
.card > .findings > li:first-child { padding-top: 0; border-top: 0; }
.card:target { border-color: var(--link); }
@media (max-width: 36rem) {
  .checks thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .checks, .checks tbody { display: block; }
  .checks tbody tr { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .6rem 1rem; border-top: 1px solid var(--line); }
  .checks tbody tr:first-child { border-top: 0; }
  .checks tbody th, .checks tbody td, .checks tbody th:first-child, .checks tbody td:last-child { padding: 0; border: 0; }
  .checks .when { grid-column: 1 / 3; }
}
`;
