/** Paper, forced colours, less motion. */
export const MEDIA = `
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media (forced-colors: active) {
  .sign circle { fill: CanvasText; }
  .sign path { stroke: Canvas; }
  .bars .well { fill: GrayText; }
  .bars .down, .bars .degraded, .bars .stale, .plot .foot { fill: CanvasText; }
  .bars .none, .bars .maintenance, .bars .unknown { fill: GrayText; }
  .plot .mean { stroke: CanvasText; }
  .plot .span { fill: none; }
  .keys li::before { background: CanvasText; forced-color-adjust: none; }
}
@page { margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --page: #fff; }
  html { font-size: 10pt; }
  body { padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .top, main, footer { max-width: none; }
  .languages, .skip-link, .back, .aged, .refresh, footer nav { display: none; }
  h1, h2, h3, h4, caption, summary { break-after: avoid; }
  .card, .verdict, .clocks, .past > li, .findings > li, tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; block-size: auto; height: auto; display: block; }
}
`;
