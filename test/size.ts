/** `npm run size`: how much there is to understand: lines and files of each folder, and what each entry needs. */
import { closureOf, files, inside, sourceOf } from './imports.ts';

const ENTRIES = {
  'command line': 'src/cli/main.ts',
  'one check of a site': 'src/core/check-site.ts',
  monitor: 'src/cli/monitor.ts',
  "monitor's engine": 'src/monitor/engine/start.ts',
  Action: 'src/action/main.ts',
  library: 'src/index.ts',
};

/** What is loaded only when it is asked for, and can be read apart from the rest. */
const OPTIONAL = {
  'pages in a browser': ['src/browser/', 'checks/rendered/'],
  'many locations on PostgreSQL': ['src/monitor/fleet/', 'src/monitor/store/postgres/'],
};

const linesOf = (file: string): number => sourceOf(file).split('\n').length - 1;
const sum = (list: readonly string[]): string =>
  `${String(list.reduce((total, file) => total + linesOf(file), 0)).padStart(6)} lines ${String(list.length).padStart(4)} files`;

const folderOf = (file: string): string =>
  /^(?:src\/monitor\/[^/]+|checks\/[^/]+|src\/[^/]+|bin)(?=\/)/.exec(file)?.[0] ?? file.slice(0, file.lastIndexOf('/'));

for (const [folder, members] of [...Map.groupBy(files, folderOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${sum(members)}  ${folder}`);
}
const [tools = [], shipped = []] = [true, false].map((isTool) =>
  files.filter((file) => file.startsWith('src/build/') === isTool),
);
console.log(`${sum(shipped)}  product, as it is shipped`);
const isIn = (file: string, folders: readonly string[]): boolean => folders.some((folder) => file.startsWith(folder));
for (const [name, folders] of Object.entries(OPTIONAL)) {
  console.log(`${sum(shipped.filter((file) => isIn(file, folders)))}  of it ${name}`);
}
console.log(`${sum(shipped.filter((file) => !isIn(file, Object.values(OPTIONAL).flat())))}  of it everything else`);
console.log(`${sum(tools)}  what builds it and its documentation`);
console.log(`${sum(files)}  in all\n`);
for (const [name, entry] of Object.entries(ENTRIES)) {
  console.log(`${sum(closureOf(entry, { lazy: false }))}  ${name}: loaded at its start`);
  console.log(`${sum(closureOf(entry, { lazy: true }))}  ${name}: in all`);
}
const importers = Map.groupBy(inside, ({ to }) => to);
const single = files.filter((file) => importers.get(file)?.length === 1);
console.log(`\n${single.length} files are imported by one other file only`);
