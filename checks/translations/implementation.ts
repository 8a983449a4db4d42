export { gather } from './gather.ts';
export { evaluate as judge } from './evaluate.ts';
