import type { DatabaseSync } from 'node:sqlite';

interface NodeSqlite {
  readonly DatabaseSync: typeof DatabaseSync;
}

type EmitWarning = (this: void, ...given: readonly unknown[]) => void;

/**
 * Node's SQLite. Not imported: the bundle would load it at the start of every command. Some versions of Node warn that
 * it is experimental; that one warning is kept quiet, and no other.
 */
export function nodeSqlite(): NodeSqlite {
  const warner = process as { emitWarning: EmitWarning };
  const { emitWarning } = warner;
  warner.emitWarning = (...given) => {
    if (!String(given[0]).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, given);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    warner.emitWarning = emitWarning;
  }
}
