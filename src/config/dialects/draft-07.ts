/** Loaded when a schema is of this draft. By its own file, since a CommonJS package keeps its names only where a module imports it. */
export { Ajv } from 'ajv';
