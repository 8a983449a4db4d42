/**
 * How the pictures look. They bring their own ground: a page may be dark where the browser prefers light. Colours have a
 * contrast of 4.5 at least on it, because names are written in them.
 */
export const STYLE = `svg { --card: #fff; --edge: #d1d9e0; --ink: #1f2328; --soft: #59636e; --grid: #e6eaef; --peer: #6e7781;
  --c0: #0969da; --c1: #bc4c00; --c2: #8250df; --c3: #1a7f37; --c4: #bf3989;
  font: 12px system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg { --card: #0d1117; --edge: #3d444d; --ink: #f0f6fc; --soft: #9198a1; --grid: #21262d; --peer: #9198a1;
    --c0: #58a6ff; --c1: #f0883e; --c2: #bc8cff; --c3: #3fb950; --c4: #f778ba; } }
.card { fill: var(--card); stroke: var(--edge); }
.title { fill: var(--ink); font-size: 14px; font-weight: 600; }
.tick, .value { fill: var(--soft); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); }
.axis, .foot { stroke: var(--edge); fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.lead { fill: none; opacity: 0.6; }
.name { font-weight: 600; }
.name, .value { stroke: var(--card); stroke-width: 3px; paint-order: stroke; stroke-linejoin: round; }
.c0 { stroke: var(--c0); fill: var(--c0); } .c1 { stroke: var(--c1); fill: var(--c1); }
.c2 { stroke: var(--c2); fill: var(--c2); } .c3 { stroke: var(--c3); fill: var(--c3); }
.c4 { stroke: var(--c4); fill: var(--c4); } .peer { stroke: var(--peer); fill: var(--peer); }
.peer circle { fill: var(--card); stroke-width: 1.5; }
`;
