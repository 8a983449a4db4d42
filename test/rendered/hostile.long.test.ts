/** Pages that keep a browser busy, or ask it for more than to be shown: the run ends in time, whatever they do. */
import { expect, it } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { browse, causesOf } from './browse.ts';
import { bundle, filesOf, serve, type Files } from './engines.ts';

const MIB = 1024 * 1024;

interface Hostile {
  readonly name: string;
  readonly script: string;
  readonly files?: Files;
  readonly codes: readonly string[];
  /** Longest time of the run; on an idle machine most take less than ten. */
  readonly seconds: number;
}

const HOSTILE: readonly Hostile[] = [
  {
    name: 'dialogs',
    script: `onload = () => { for (let i = 0; i < 20; i++) { alert(i); confirm(i); prompt(i) } }; onbeforeunload = () => 'Stay'`,
    codes: [],
    seconds: 45,
  },
  { name: 'windows', script: `setInterval(() => open(location.href), 100)`, codes: [], seconds: 45 },
  {
    name: 'a download',
    script: `onload = () => { const a = document.createElement('a'); a.href = 'dot.svg'; a.download = 'x.svg'; a.click() }`,
    codes: [],
    seconds: 45,
  },
  {
    name: 'a document that never stops growing',
    script: `setInterval(() => document.querySelector('main').append('Text '), 10)`,
    codes: [],
    seconds: 45,
  },
  {
    name: 'an endless loop after the page is shown',
    script: `setTimeout(() => { for (;;); }, 3000)`,
    codes: [],
    seconds: 60,
  },
  { name: 'an endless loop', script: `for (;;);`, codes: ['blank'], seconds: 70 },
  {
    name: 'requests without end',
    script: `setInterval(() => fetch('dot.svg?' + Math.random()), 5)`,
    codes: [],
    seconds: 45,
  },
  {
    name: 'a hundred mebibytes',
    script: `fetch('large.txt').then((response) => response.text()).catch(() => {})`,
    files: { 'large.txt': Buffer.alloc(100 * MIB, 'text ') },
    codes: ['request-failed'],
    seconds: 45,
  },
];

it.runIf(chromiumWanted()).each(HOSTILE)('$name', { timeout: 100_000 }, async ({ script, files, codes, seconds }) => {
  const index = bundle('VertiWiki', { head: `<script>${script}</script>` });
  const { url } = await serve({ ...filesOf('VertiWiki'), ...files, 'index.html': index });
  const { rendered, durationMs, maxRssMiB } = await browse(url, ['--routes', '0'], { killAfterMs: 90_000 });
  // Whatever else is being loaded when the gate closes fails with it.
  expect(new Set(causesOf(rendered).map(([code]) => code))).toEqual(new Set(codes));
  expect(durationMs).toBeLessThan(seconds * 1_000);
  expect(maxRssMiB).toBeLessThan(400);
  expect(rendered.pages?.[0]?.transferredBytes).toBeLessThan(66 * MIB);
});
