/** Paper, forced colours, less motion. */
export const MEDIA = `
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media (forced-colors: active) {
  .sign circle { fill: CanvasText; }
  .sign path { stroke: Canvas; }
  .cells span { background: CanvasText; }
  .frame li.fault { border-color: Mark; }
  mark { background: Mark; color: MarkText; forced-color-adjust: none; }
}
@page { margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --page: #fff; --sunk: #f6f6f4; }
  html { font-size: 10pt; }
  body { padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main, footer { max-width: none; }
  main > section, main > nav { margin-top: 1.75rem; }
  h1, h2, h3, h4, .place, .asked, thead, summary, figcaption { break-after: avoid; }
  tr, .skipped li, .places li, .frame li, .verdict, .clocks div, .facts div:not(.long), .entries > li { break-inside: avoid; }
  .also > p { break-after: avoid; }
  footer { break-before: avoid; margin-top: 1.25rem; padding-top: .5rem; }
  p { orphans: 2; widows: 2; }
  .frame ol { orphans: 3; widows: 3; }
  .check, .skipped, table { border-radius: 0; }
  nav { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; height: auto; display: block; }
  details.check > summary::after, .more > summary, .also summary { display: none; }
  a { color: inherit; text-decoration: none; }
  a.live::after { content: " <" attr(href) ">"; font-size: .9em; }
  .action { color: var(--text); }
}
`;
