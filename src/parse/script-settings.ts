/** Reads `window.$docsify` out of the scripts of a page as data, with acorn: nothing of them is executed. Pure. */
import { parse } from 'acorn';
import type { AnyNode, ArrowFunctionExpression, CallExpression, Expression, FunctionExpression, Literal } from 'acorn';
import { readElements, type Attributes } from './html-links.ts';

export type Data = string | number | boolean | null | readonly Data[] | ReadonlyMap<string, Data>;

/** Longer scripts are programs rather than settings. All scripts of a page together, in UTF-16 code units. */
const LONGEST = 512 * 1024;
/** Values and members that are read, those of a variable each time that it is used: a spread repeats them all. */
const MOST_PARTS = 100_000;
/** Text that is read and joined, in UTF-16 code units: a variable that holds itself twice doubles its text. */
const MOST_TEXT = 1024 * 1024;
/** Deepest nesting of a value: settings have three levels. */
const DEEPEST = 200;

/** The page is not searched beyond. In UTF-16 code units. */
const LONGEST_PAGE = 2 * 1024 * 1024;
const MOST_SCRIPTS = 20;

interface Script {
  readonly isModule: boolean;
  /** Where its text begins in the page; `null`: it is a file. */
  readonly offset: number | null;
  text: string;
}

/** Texts of script files by their address as written in the page. */
export type ScriptFiles = Readonly<Record<string, string>>;

const NAME = '$docsify';

const MOST_LINKS = 500;

/** A link of the first `<nav>` of the page. */
interface NavLink {
  readonly url: string;
  readonly offset: number;
}

/**
 * The inline scripts of a page that name the setting and the files that are given, in order; the addresses of all files;
 * and the attributes of the elements that load the engine.
 */
function readScripts(page: string, files: ScriptFiles) {
  const scripts: Script[] = [];
  const addresses: string[] = [];
  let [open, attributes]: [Script | null, Attributes] = [null, {}];
  readElements(page.slice(0, LONGEST_PAGE), {
    open(name, own, _, end) {
      const { src = '', type = '' } = own;
      if (name !== 'script') return true;
      if (/docsify/i.test(src)) attributes = { ...attributes, ...own };
      const isScript = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i.test(type.trim());
      const isModule = type.trim() === 'module';
      if (src === '' && isScript) open = { isModule, offset: end, text: '' };
      else if (isScript) {
        addresses.push(src);
        const text = Object.hasOwn(files, src) ? files[src] : undefined;
        if (text !== undefined) scripts.push({ isModule, offset: null, text });
      }
      return true;
    },
    text(data) {
      if (open !== null) open.text += data;
    },
    close(name) {
      if (name === 'script' && open?.text.includes(NAME) === true) scripts.push(open);
      if (name === 'script') open = null;
      return true;
    },
  });
  return { scripts: scripts.slice(0, MOST_SCRIPTS), addresses: addresses.slice(0, MOST_SCRIPTS), attributes };
}

/** The links of the first `<nav>` of a page. */
function readNav(page: string): readonly NavLink[] {
  const links: NavLink[] = [];
  let isInNav = false;
  readElements(page.slice(0, LONGEST_PAGE), {
    open(name, { href = '' }, offset) {
      isInNav ||= name === 'nav';
      if (isInNav && name === 'a' && href.trim() !== '') links.push({ url: href, offset });
      return links.length < MOST_LINKS;
    },
    close: (name) => name !== 'nav',
  });
  return links;
}

/** What the scripts of a page, one after another, assign to `window.$docsify`, as a whole or member by member. */
export interface ScriptSettings {
  /** Of the elements that load the engine. */
  readonly attributes: Attributes;
  readonly nav: readonly NavLink[];
  /** `undefined`: members that only running the script would show, functions among them. */
  readonly values: ReadonlyMap<string, Data | undefined>;
  readonly isFound: boolean;
  /** False where there may be members that the text does not show. */
  readonly isComplete: boolean;
  /** The source of members that are not plain data, as far as it is known. */
  readonly sources: ReadonlyMap<string, string>;
  /** The addresses of script files, as written. */
  readonly files: readonly string[];
  /** Whether a value is that of a variable that no script read so far has. */
  readonly isOpen: boolean;
  /** What is wrong with the syntax of a script, at an offset of the page; the ones after it are not read. */
  readonly problem?: { readonly offset: number; readonly error: string };
  /** Set where a script is too long, nests too deep, or holds too much: whether it is valid is not known. */
  readonly isCut?: true;
}

/** `given`: the files that were received. */
export function readScriptSettings(page: string, given: ScriptFiles = {}): ScriptSettings {
  const { scripts, addresses: files, attributes } = readScripts(page, given);
  const reader = new Reader();
  const ended = scripts.map((script) => reader.read(script)).find((end) => end !== undefined);
  const { values, sources, isFound, isComplete, isOpen } = reader;
  const read = { attributes, nav: readNav(page), values, sources, files, isFound, isComplete, isOpen };
  if (ended === 'cut') return { ...read, values: new Map(), isFound: true, isComplete: false, isCut: true };
  return { ...read, ...(ended !== undefined && { problem: ended }) };
}

class Reader {
  readonly values = new Map<string, Data | undefined>();
  readonly sources = new Map<string, string>();
  readonly #variables = new Map<string, AnyNode>();
  isFound = false;
  isComplete = true;
  isOpen = false;
  #length = LONGEST;
  #parts = MOST_PARTS;
  #text = MOST_TEXT;
  #depth = 0;
  #hasEnded = false;

  /** Nothing after the first script of the page that cannot be read; a file that cannot be read is not known. */
  read({ text, isModule, offset }: Script): NonNullable<ScriptSettings['problem']> | 'cut' | undefined {
    if (this.#hasEnded) return undefined;
    const sourceType = isModule ? 'module' : 'script';
    try {
      this.#length -= text.length;
      if (this.#length < 0) throw new RangeError('too long');
      const program = parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowHashBang: true,
        // The nodes of several scripts are read together.
        directSourceFile: text,
      });
      for (const node of program.body) this.#readStatement(node);
      return undefined;
    } catch (error) {
      this.isComplete = false;
      if (offset === null) return undefined;
      this.#hasEnded = true;
      const { pos, message } = error as { readonly pos?: number; readonly message: string };
      // acorn reports as a syntax error, too, that it ran out of stack.
      if (pos === undefined || OUT_OF_STACK.test(message)) return 'cut';
      return { offset: offset + pos, error: message.replace(/ \(\d+:\d+\)$/, '') };
    }
  }

  #readStatement(node: AnyNode): void {
    if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        if (id.type !== 'Identifier' || !init) continue;
        this.#variables.set(id.name, init);
        if (id.name === NAME) this.#assign(init);
      }
    } else if (node.type === 'FunctionDeclaration') {
      if (node.id) this.#variables.set(node.id.name, node);
    } else if (node.type === 'ExpressionStatement') this.#readExpression(node.expression);
    else if (node.type === 'BlockStatement') for (const inner of node.body) this.#readStatement(inner);
    else if (node.type === 'IfStatement') {
      this.#readStatement(node.consequent);
      if (node.alternate) this.#readStatement(node.alternate);
    }
  }

  #readExpression(node: Expression): void {
    if (node.type === 'SequenceExpression') for (const inner of node.expressions) this.#readExpression(inner);
    else if (node.type === 'CallExpression') {
      const { callee } = node;
      const [target, ...sources] = assigned(node) ?? [];
      // A function that is called where it is written.
      if (isFunction(callee)) this.#readStatement(callee.body);
      else if (target !== undefined && this.#isGlobal(target)) for (const source of sources) this.#assign(source);
    } else if (node.type === 'AssignmentExpression') {
      const { left, right } = node;
      if (this.#isGlobal(left)) this.#assign(right);
      else if (left.type === 'MemberExpression' && this.#isGlobal(left.object)) {
        this.#set(left.computed ? null : nameOf(left.property), right);
      } else {
        const name = globalName(left);
        if (name !== null) this.#variables.set(name, right);
      }
    }
  }

  /** `window.$docsify`, or the same of `self` or `globalThis`, or the name alone. */
  #isGlobal(node: AnyNode): boolean {
    return globalName(node) === NAME;
  }

  #assign(written: AnyNode): void {
    this.isFound = true;
    for (const [key, node] of this.#membersOf(written)) this.#set(key, node);
  }

  #set(key: string | null, node: AnyNode): void {
    this.isFound = true;
    if (key === null) this.isComplete = false;
    else {
      const value = this.#dataOf(node);
      this.values.set(key, value);
      const source = value === undefined ? this.#sourceOf(node) : null;
      if (source === null) this.sources.delete(key);
      else this.sources.set(key, source);
    }
  }

  /** `null`: it is that of a variable that is not known. */
  #sourceOf(written: AnyNode): string | null {
    const node = this.#resolved(written);
    if (globalName(node) !== null) return null;
    if (node.type !== 'ArrayExpression') {
      const { sourceFile = '' } = node as { readonly sourceFile?: string };
      return this.#counted(sourceFile.slice(node.start, node.end));
    }
    const items = node.elements.map((item) => (item === null ? '' : this.#sourceOf(item)));
    return items.includes(null) ? null : items.join(' ');
  }

  #count(): void {
    this.#parts -= 1;
    if (this.#parts < 0) throw new RangeError('too many values');
  }

  #counted(text: string): string {
    this.#text -= text.length;
    if (this.#text < 0) throw new RangeError('too much text');
    return text;
  }

  #resolved(node: AnyNode): AnyNode {
    this.#count();
    const name = globalName(node);
    if (name === null || name === NAME || name === 'undefined') return node;
    const value = this.#variables.get(name);
    if (value === undefined) this.isOpen = true;
    return value ?? node;
  }

  /** The members of what an expression gives; the key `null` is for those that the text does not show. */
  *#membersOf(written: AnyNode): Generator<readonly [key: string | null, node: AnyNode]> {
    const node = this.#resolved(written);
    if (node.type === 'ObjectExpression') {
      for (const property of node.properties) {
        this.#count();
        if (property.type === 'SpreadElement') yield* this.#membersOf(property.argument);
        else yield [property.computed ? null : nameOf(property.key), property.value];
      }
    } else if (node.type === 'LogicalExpression') {
      yield* this.#membersOf(node.left);
      yield* this.#membersOf(node.right);
    } else if (node.type === 'CallExpression' && assigned(node) !== null) {
      for (const source of node.arguments) yield* this.#membersOf(source);
    } else if (isFunction(node)) {
      // What it returns: its expression, or the argument of its last statement.
      const last = node.body.type === 'BlockStatement' ? node.body.body.at(-1) : node.body;
      const given = last?.type === 'ReturnStatement' ? last.argument : last;
      if (given) yield* this.#membersOf(given);
      else yield [null, node];
    } else if (!this.#isGlobal(node)) yield [null, node];
  }

  /** `undefined`: not plain data. */
  #dataOf(written: AnyNode): Data | undefined {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new RangeError('too deep');
    const data = this.#dataIn(this.#resolved(written));
    this.#depth -= 1;
    return typeof data === 'string' ? this.#counted(data) : data;
  }

  #dataIn(node: AnyNode): Data | undefined {
    if (node.type === 'Literal') return literalOf(node);
    if (node.type === 'TemplateLiteral') return node.expressions.length > 0 ? undefined : node.quasis[0]?.value.cooked;
    if (node.type === 'UnaryExpression' && node.operator === '!') {
      // `!0` is what a minifier makes of `true`.
      const value = this.#dataOf(node.argument);
      return value === undefined ? undefined : !value;
    }
    if (node.type === 'BinaryExpression' && node.operator === '+') {
      const parts = [this.#dataOf(node.left), this.#dataOf(node.right)];
      return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
    if (node.type === 'ArrayExpression') {
      const items = node.elements.map((item) => (item === null ? undefined : this.#dataOf(item)));
      return items.includes(undefined) ? undefined : (items as Data[]);
    }
    if (node.type !== 'ObjectExpression') return undefined;
    const members = [...this.#membersOf(node)];
    if (members.some(([key]) => key === null)) return undefined;
    // Of a member that is a function only the name is known.
    return new Map(members.map(([key, value]) => [key ?? '', this.#dataOf(value) ?? null]));
  }
}

/** acorn's own message. */
const OUT_OF_STACK = /^Not enough stack space/;

const isFunction = (node: AnyNode): node is FunctionExpression | ArrowFunctionExpression =>
  node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** The name of a global variable: alone, or as a member of `window`, `self` or `globalThis`. */
function globalName(node: AnyNode): string | null {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return null;
  const isName = !node.computed || node.property.type === 'Literal';
  return /^(?:window|self|globalThis)$/.test(node.object.name) && isName ? nameOf(node.property) : null;
}

/** The arguments of a call of `Object.assign`; `null`: of another function. */
function assigned({ callee, arguments: all }: CallExpression): CallExpression['arguments'] | null {
  const isObject = callee.type === 'MemberExpression' && nameOf(callee.object) === 'Object';
  return isObject && nameOf(callee.property) === 'assign' ? all : null;
}

function literalOf({ value, raw }: Literal): Data | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return raw === 'null' ? null : undefined;
}

function nameOf(node: AnyNode): string | null {
  if (node.type === 'Identifier') return node.name;
  const isName = node.type === 'Literal' && (typeof node.value === 'string' || typeof node.value === 'number');
  return isName ? String(node.value) : null;
}
