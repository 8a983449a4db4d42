/** Reads the text exposition format 0.0.4 of Prometheus strictly, as node_exporter's textfile collector takes it. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})\\{((?:${NAME}="(?:[^"\\\\\\n]|\\\\[\\\\"n])*",?)*)\\} (\\S+)$`);
const LABEL = new RegExp(`(${NAME})="((?:[^"\\\\\\n]|\\\\[\\\\"n])*)"(?:,|$)`, 'g');

/**
 * Throws where a line is not of the format, a metric has no help or type, its samples do not follow one another, a
 * series comes twice, or a sample has a timestamp.
 */
export function readExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('no line feed at the end');
  const samples: Sample[] = [];
  const series = new Set<string>();
  const families = new Set<string>();
  let family = '';
  let typed = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = new RegExp(`^# HELP (${NAME}) \\S`).exec(line)?.[1];
    const type = new RegExp(`^# TYPE (${NAME}) gauge$`).exec(line)?.[1];
    if (help !== undefined) {
      if (families.has(help)) throw new Error(`${help} is not in one piece`);
      families.add(help);
      family = help;
    } else if (type === undefined) {
      const sample = readSample(line);
      if (sample.name !== family || sample.name !== typed) throw new Error(`not below its type: ${line}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      if (series.has(key)) throw new Error(`twice: ${key}`);
      series.add(key);
      samples.push(sample);
    } else {
      typed = type;
    }
  }
  return samples;
}

function readSample(line: string): Sample {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !/^[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|NaN|Inf)$/i.test(value)) {
    throw new Error(`not of the format: ${line}`);
  }
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, unescaped(text)]);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\\"n])/g, (_whole, escape: string) => (escape === 'n' ? '\n' : escape));
}
