/** Draws what a command prints on a terminal, with its colours, as an SVG that needs no script, font or other file. */
import stringWidth from 'string-width';

/** Pixels. A line of 100 characters has the width at which GitHub shows a README without scaling it down. */
const CHARACTER = 8.4;
const LINE = 20;
const PADDING = 16;

/** The colours of GitHub's dark theme, by the codes of the terminal (SGR). */
const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#3fb950',
  33: '#d29922',
  36: '#79c0ff',
};
const BACKGROUND = '#0d1117';
const FOREGROUND = '#e6edf3';
const DIM = '#9198a1';

interface Style {
  readonly colour: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
}

const PLAIN: Style = { colour: null, bold: false, dim: false };

/** The style after a code. Throws for one that docvitals does not print, so that no colour is lost unnoticed. */
function styled(style: Style, code: number): Style {
  const colour = COLOURS[code];
  if (colour !== undefined) return { ...style, colour };
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: null };
  throw new Error(`unknown terminal code ${code}`);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Where each span begins is written, and how long it is, so that columns are aligned in every font. */
function span(spaced: string, columnOfSpaced: number, { colour, bold, dim }: Style): string {
  const text = spaced.trim();
  const column = columnOfSpaced + spaced.length - spaced.trimStart().length;
  const fill = colour ?? (dim ? DIM : null);
  const attributes = [
    `x="${(PADDING + column * CHARACTER).toFixed(1)}"`,
    `textLength="${(stringWidth(text) * CHARACTER).toFixed(1)}"`,
    ...(fill === null ? [] : [`fill="${fill}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
  ];
  return `<tspan ${attributes.join(' ')}>${escaped(text)}</tspan>`;
}

/** A picture of the output; `title` describes it to people who cannot see it. */
export function terminalSvg(output: string, title: string): string {
  let style = PLAIN;
  let widest = 0;
  const lines = output.trimEnd().split('\n');
  const rows = lines.map((line, index) => {
    let column = 0;
    const spans: string[] = [];
    // eslint-disable-next-line no-control-regex -- these are the codes of the terminal
    for (const part of line.split(/(\u001B\[\d+m)/)) {
      // eslint-disable-next-line no-control-regex -- as above
      const code = /^\u001B\[(\d+)m$/.exec(part)?.[1];
      if (code !== undefined) style = styled(style, Number(code));
      else {
        // Runs of spaces would collapse: what they separate becomes spans of its own.
        for (const [text] of part.matchAll(/ {2,}|(?:[^ ]| (?! ))+| /g)) {
          if (text.trim() !== '') spans.push(span(text, column, style));
          column += stringWidth(text);
        }
      }
    }
    widest = Math.max(widest, column);
    const y = PADDING + (index + 0.75) * LINE;
    return spans.length === 0 ? '' : `<text y="${y}">${spans.join('')}</text>\n`;
  });
  const [width, height] = [Math.ceil(widest * CHARACTER) + 2 * PADDING, lines.length * LINE + 2 * PADDING];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
<g fill="${FOREGROUND}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${rows.join('')}</g>
</svg>
`;
}
