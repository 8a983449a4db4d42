/** The exports of the library with their declarations and comments, out of the types that the package has. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const TYPES = path.join(import.meta.dirname, '../../dist/types');
const INDEX = 'src/index.d.ts';

export interface Exported {
  readonly name: string;
  readonly isValue: boolean;
  /** The comment above the declaration; empty if there is none. */
  readonly about: string;
  readonly declaration: string;
}

const DECLARED = /^export (?:declare )?(?<kind>const|function|class|interface|type) (?<name>\w+)/;

/** The exported declarations of a file, in their order. The compiler begins each in the first column. */
function declaredIn(file: string): readonly Exported[] {
  const lines = readFileSync(path.join(TYPES, file), 'utf8').split('\n');
  const starts = lines.flatMap((line, index) =>
    /^(?:\/\*\*|export |declare |import |interface |type )/.test(line) ? [index] : [],
  );
  let about = '';
  return starts.flatMap((start, index) => {
    const text = lines
      .slice(start, starts[index + 1])
      .join('\n')
      .trimEnd();
    const comment = /^\/\*\*\s*(?:\* )?([^]*?)\s*\*\/$/.exec(text)?.[1];
    if (comment !== undefined) {
      about = comment.replaceAll(/\n \* ?/g, '\n');
      return [];
    }
    const { kind, name = '' } = DECLARED.exec(text)?.groups ?? {};
    const found = { name, about, declaration: text.replace(/^export (?:declare )?/, '') };
    about = '';
    return kind === undefined ? [] : [{ ...found, isValue: kind !== 'interface' && kind !== 'type' }];
  });
}

const STATEMENT = /^export (?:type )?(?:\*|\{([^}]*)\}) from '([^']+)';$/gm;

/** Everything that `docvitals` exports, in the order of its index. */
export function exportsOfLibrary(): readonly Exported[] {
  const statements = readFileSync(path.join(TYPES, INDEX), 'utf8').matchAll(STATEMENT);
  return [...statements].flatMap(([, names, from = '']) => {
    const file = path.posix.join(path.posix.dirname(INDEX), from).replace(/\.ts$/, '.d.ts');
    const declared = declaredIn(file);
    if (names === undefined) return declared;
    const named = names.split(',').map((name) => name.replace(/\btype\b/, '').trim());
    return named.flatMap((name) => {
      const found = declared.find((one) => one.name === name);
      // A comma may end the list.
      if (name !== '' && found === undefined) throw new Error(`${file} does not declare ${name}`);
      return found ?? [];
    });
  });
}
