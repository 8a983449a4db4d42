/** Reads which service workers a text registers (`navigator.serviceWorker.register('sw.js')`), with acorn: nothing of it is executed. Pure. */
import { parse, type AnyNode, type CallExpression } from 'acorn';
import { readElements } from './html-links.ts';

/** All scripts of a text together; longer ones are engines. In UTF-16 code units. */
const LONGEST = 512 * 1024;
const MOST = 10;

export interface WorkerRegistration {
  /** As written. */
  readonly url: string;
  /** Where the call begins in the text (UTF-16 code units). */
  readonly offset: number;
  /** `updateViaCache: 'all'`: browsers may take the worker from their own cache, too. */
  readonly viaCache: boolean;
}

/** Of the inline scripts of a page, and its first `<base href>` as written, which all addresses are relative to. */
export function workersOfPage(page: string) {
  const registrations: WorkerRegistration[] = [];
  let base: string | null = null;
  let script: { readonly offset: number; text: string } | null = null;
  readElements(page, {
    open(name, { src, href }, _, end) {
      if (name === 'base') base ??= href ?? null;
      if (name === 'script' && src === undefined) script = { offset: end, text: '' };
      return true;
    },
    text(text) {
      if (script !== null) script.text += text;
    },
    close(name) {
      if (name !== 'script' || script === null) return true;
      const { offset, text } = script;
      registrations.push(...workersOfScript(text).map((one) => ({ ...one, offset: offset + one.offset })));
      script = null;
      return registrations.length < MOST;
    },
  });
  return { registrations: registrations.slice(0, MOST), base: base as string | null };
}

/** A worker whose address is not written out is not known, nor is one of a script that cannot be read. */
export function workersOfScript(script: string): readonly WorkerRegistration[] {
  if (script.length > LONGEST || !script.includes('serviceWorker')) return [];
  const program = parsed(script, 'script') ?? parsed(script, 'module');
  const calls = program === null ? [] : nodesOf(program).filter((node) => node.type === 'CallExpression');
  const found = calls.filter(isRegistration).flatMap(registrationOf);
  return found.toSorted((a, b) => a.offset - b.offset).slice(0, MOST);
}

function parsed(script: string, sourceType: 'script' | 'module'): AnyNode | null {
  try {
    return parse(script, { ecmaVersion: 'latest', sourceType, allowHashBang: true });
  } catch {
    return null;
  }
}

const isNode = (value: unknown): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value;

function nodesOf(root: AnyNode): readonly AnyNode[] {
  const nodes = [root];
  // The list grows while it is gone through.
  for (const node of nodes)
    for (const value of Object.values(node))
      for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value as unknown])
        if (isNode(each)) nodes.push(each);
  return nodes;
}

function isRegistration({ callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || memberOf(callee) !== 'register') return false;
  return callee.object.type === 'MemberExpression' && memberOf(callee.object) === 'serviceWorker';
}

function memberOf({ property, computed }: Extract<AnyNode, { type: 'MemberExpression' }>): string | null {
  if (property.type === 'Identifier' && !computed) return property.name;
  return textOf(property);
}

function registrationOf({ start, arguments: [address, options] }: CallExpression): readonly WorkerRegistration[] {
  const url = address === undefined ? null : textOf(address);
  if (url === null) return [];
  const properties = options?.type === 'ObjectExpression' ? options.properties : [];
  const viaCache = properties.some((one) => {
    if (one.type !== 'Property' || one.key.type !== 'Identifier') return false;
    return one.key.name === 'updateViaCache' && textOf(one.value) === 'all';
  });
  return [{ url, offset: start, viaCache }];
}

/** The text that an expression is; `null`: only running the script would show it. */
function textOf(node: AnyNode): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}
