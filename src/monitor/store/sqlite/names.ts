import type { Connection, Statement } from './connection.ts';
import type { Numbered } from './pack.ts';

/** The names of a table (`site`, `word`), which have small numbers elsewhere. Those that were seen are remembered. */
export class Names implements Numbered {
  readonly #byId: Statement;
  readonly #byName: Statement;
  readonly #insert: Statement;
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(connection: Connection, table: 'site' | 'word') {
    this.#byId = connection.prepare(`SELECT name FROM ${table} WHERE id = ?`);
    this.#byName = connection.prepare(`SELECT id FROM ${table} WHERE name = ?`);
    this.#insert = connection.prepare(`INSERT INTO ${table} (name) VALUES (?)`);
  }

  /** The number of a name; it gets one, inside the transaction that goes on, where it has none. */
  idOf(name: string): number {
    return this.known(name) ?? this.#learn(Number(this.#insert.run([name]).lastInsertRowid), name);
  }

  /** The number of a name that has one. */
  known(name: string): number | undefined {
    const id = this.#ids.get(name);
    if (id !== undefined) return id;
    const [row] = this.#byName.all([name]) as { readonly id: number }[];
    return row === undefined ? undefined : this.#learn(row.id, name);
  }

  nameOf(id: number): string | undefined {
    const name = this.#names.get(id);
    if (name !== undefined) return name;
    const [row] = this.#byId.all([id]) as { readonly name: string }[];
    if (row !== undefined) this.#learn(id, row.name);
    return row?.name;
  }

  /** After a transaction that was rolled back: its names have no numbers any more. */
  forget(): void {
    this.#ids.clear();
    this.#names.clear();
  }

  #learn(id: number, name: string): number {
    this.#ids.set(name, id);
    this.#names.set(id, name);
    return id;
  }
}
