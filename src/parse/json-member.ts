import type { Json } from '../answer.ts';

/** A member of an object in JSON; `undefined` for one that is not there, and for what is no object. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: Json })[name] : undefined;
}
