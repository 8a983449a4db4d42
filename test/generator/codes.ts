/** Codes by check, each once, sorted; checks that have none are left out. */
export type Codes = Readonly<Record<string, readonly string[]>>;
