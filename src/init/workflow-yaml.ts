/** Reads workflows. Loaded only where there is one: the parser is large. */
import { parse } from 'yaml';

/** What the text of a workflow says; `null`: it is broken. */
export function parseWorkflow(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 }) as unknown;
  } catch {
    return null;
  }
}
