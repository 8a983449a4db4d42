/** Reads the text exposition format 0.0.4, for tests. */

/** `name{a="b"}` → value, in the order of the text. Labels keep their escapes. */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The names of all samples, each once. */
export function namesOf(text: string): readonly string[] {
  return [...new Set([...samplesOf(text).keys()].map((series) => series.replace(/\{.*$/s, '')))];
}

/** `name` → `type help`. */
export function familiesOf(text: string): ReadonlyMap<string, string> {
  const helps = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help] as const);
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  return new Map(helps.map(([name, help]) => [name, `${types.get(name)} ${help}`]));
}

/** `name` → the names of its labels, each once. Buckets, sums and counts are of their histogram. */
export function labelsOf(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map([...familiesOf(text).keys()].map((name) => [name, new Set<string>()]));
  for (const series of samplesOf(text).keys()) {
    const name = series.replace(/\{.*$/s, '');
    const own = labels.get(name) ?? labels.get(name.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = ''] of series.matchAll(/[{,](\w+)="/g)) if (label !== 'le') own?.add(label);
  }
  return labels;
}
