export { gather } from './gather.ts';
export { judge } from './judge.ts';
