/** Reads values out of a JavaScript text as data, with acorn: nothing of it is executed. Pure. */
import { parse, type AnyNode, type Expression, type Literal, type Pattern, type SpreadElement } from 'acorn';

/** What a script assigns to a global variable. */
export interface ScriptData {
  /** The members whose values are plain data. */
  readonly values: ReadonlyMap<string, Data>;
  /** Members that are set to something that only running the script would show, functions among them. */
  readonly unknown: ReadonlySet<string>;
  /** False where there may be members that the text does not show. */
  readonly complete: boolean;
}

export type Data = string | number | boolean | null | readonly Data[] | ReadonlyMap<string, Data>;

/** Longer scripts are programs rather than settings. In UTF-16 code units. */
const LONGEST = 512 * 1024;

/** What scripts, one after another, assign to `window.<name>`, as a whole or member by member. */
export class GlobalReader {
  readonly #name: string;
  readonly #values = new Map<string, Data>();
  readonly #unknown = new Set<string>();
  readonly #variables = new Map<string, Expression>();
  #complete = true;
  #found = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** What the scripts assign; `null`: nothing. */
  get data(): ScriptData | null {
    return this.#found ? { values: this.#values, unknown: this.#unknown, complete: this.#complete } : null;
  }

  /** Reads the next script. What is wrong with its syntax, and where in UTF-16 code units; `null`: nothing. */
  read(script: string, kind: 'script' | 'module'): { readonly offset: number; readonly message: string } | null {
    if (script.length > LONGEST) return this.#leaveOut();
    try {
      const program = parse(script, { ecmaVersion: 'latest', sourceType: kind, allowHashBang: true });
      for (const node of program.body) this.#readStatement(node);
    } catch (error) {
      const { pos, message } = error as { readonly pos?: number; readonly message: string };
      if (pos !== undefined) return { offset: pos, message: message.replace(/ \(\d+:\d+\)$/, '') };
      // Nested too deep to be read.
      return this.#leaveOut();
    }
    return null;
  }

  #leaveOut(): null {
    this.#found = true;
    this.#complete = false;
    return null;
  }

  #readStatement(node: AnyNode): void {
    if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        if (id.type !== 'Identifier' || !init) continue;
        this.#variables.set(id.name, init);
        if (id.name === this.#name) this.#assign(init);
      }
    } else if (node.type === 'ExpressionStatement') this.#readExpression(node.expression);
    else if (node.type === 'BlockStatement') for (const inner of node.body) this.#readStatement(inner);
    else if (node.type === 'IfStatement') {
      this.#readStatement(node.consequent);
      if (node.alternate) this.#readStatement(node.alternate);
    }
  }

  #readExpression(node: Expression): void {
    if (node.type === 'SequenceExpression') for (const inner of node.expressions) this.#readExpression(inner);
    else if (node.type === 'CallExpression') this.#readCall(node.callee, node.arguments);
    else if (node.type === 'AssignmentExpression') {
      if (this.#isGlobal(node.left)) this.#assign(node.right);
      else if (node.left.type === 'MemberExpression' && this.#isGlobal(node.left.object)) {
        const key = node.left.computed ? null : nameOf(node.left.property);
        this.#found = true;
        if (key === null) this.#complete = false;
        else this.#set(key, node.right);
      }
    }
  }

  /** `Object.assign(window.name, {…})`, or a function that is called where it is written. */
  #readCall(callee: Expression | AnyNode, args: readonly (Expression | SpreadElement)[]): void {
    if (callee.type === 'FunctionExpression' || callee.type === 'ArrowFunctionExpression') {
      this.#readStatement(callee.body);
    } else if (isObjectAssign(callee) && args[0] !== undefined && this.#isGlobal(args[0])) {
      for (const arg of args.slice(1)) this.#assign(arg);
    }
  }

  /** `window.name`, `self.name`, `globalThis.name` or `name`. */
  #isGlobal(node: AnyNode): boolean {
    if (node.type === 'Identifier') return node.name === this.#name;
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return false;
    const key = node.computed ? literalText(node.property) : nameOf(node.property);
    return /^(?:window|self|globalThis)$/.test(node.object.name) && key === this.#name;
  }

  #assign(written: AnyNode): void {
    this.#found = true;
    const node = this.#resolved(written);
    if (node.type === 'ObjectExpression') {
      for (const property of node.properties) {
        if (property.type === 'SpreadElement') this.#assign(property.argument);
        else {
          const key = property.computed ? null : nameOf(property.key);
          if (key === null) this.#complete = false;
          else this.#set(key, property.value);
        }
      }
    } else if (node.type === 'CallExpression' && isObjectAssign(node.callee)) {
      for (const arg of node.arguments) this.#assign(arg);
    } else if (node.type === 'LogicalExpression') {
      for (const side of [node.left, node.right]) this.#assign(side);
    } else if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') {
      const given = returned(node.body);
      if (given === null) this.#complete = false;
      else this.#assign(given);
    } else if (!this.#isGlobal(node)) this.#complete = false;
  }

  #resolved(node: AnyNode): AnyNode {
    return node.type === 'Identifier' ? (this.#variables.get(node.name) ?? node) : node;
  }

  #set(key: string, node: AnyNode): void {
    const value = this.#dataOf(node, 0);
    if (value === undefined) {
      this.#unknown.add(key);
      this.#values.delete(key);
    } else {
      this.#values.set(key, value);
      this.#unknown.delete(key);
    }
  }

  /** `undefined`: not plain data. */
  #dataOf(written: AnyNode, depth: number): Data | undefined {
    const node = this.#resolved(written);
    if (depth > DEEPEST) return undefined;
    if (node.type === 'Literal') return literalOf(node);
    if (node.type === 'TemplateLiteral') {
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
    }
    if (node.type === 'UnaryExpression') return node.operator === '!' ? this.#negated(node.argument, depth) : undefined;
    if (node.type === 'BinaryExpression') return node.operator === '+' ? this.#joined(node, depth) : undefined;
    if (node.type === 'ArrayExpression') return this.#listOf(node.elements, depth);
    return node.type === 'ObjectExpression' ? this.#objectOf(node.properties, depth) : undefined;
  }

  /** `!0` is what a minifier makes of `true`. */
  #negated(node: AnyNode, depth: number): boolean | undefined {
    const value = this.#dataOf(node, depth + 1);
    return value === undefined ? undefined : value === false || value === null || value === 0 || value === '';
  }

  #joined({ left, right }: { readonly left: AnyNode; readonly right: AnyNode }, depth: number): string | undefined {
    const [one, other] = [this.#dataOf(left, depth + 1), this.#dataOf(right, depth + 1)];
    return typeof one === 'string' && typeof other === 'string' ? one + other : undefined;
  }

  #listOf(elements: readonly (AnyNode | null)[], depth: number): readonly Data[] | undefined {
    const items = elements.map((item) => (item === null ? undefined : this.#dataOf(item, depth + 1)));
    return items.includes(undefined) ? undefined : (items as Data[]);
  }

  #objectOf(properties: readonly AnyNode[], depth: number): Data | undefined {
    const members = new Map<string, Data>();
    for (const property of properties) {
      const key = property.type === 'Property' && !property.computed ? nameOf(property.key) : null;
      const value = property.type === 'Property' ? this.#dataOf(property.value, depth + 1) : undefined;
      if (key === null) return undefined;
      // Of a member that is a function only the name is known.
      members.set(key, value ?? null);
    }
    return members;
  }
}

/** Objects in objects that are read. */
const DEEPEST = 20;

function literalOf(node: Literal): Data | undefined {
  const { value } = node;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return node.raw === 'null' ? null : undefined;
}

function nameOf(node: AnyNode): string | null {
  return node.type === 'Identifier' ? node.name : literalText(node);
}

function literalText(node: AnyNode): string | null {
  return node.type === 'Literal' && (typeof node.value === 'string' || typeof node.value === 'number')
    ? String(node.value)
    : null;
}

function isObjectAssign(node: AnyNode): boolean {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'Object')
    return false;
  return nameOf(node.property) === 'assign';
}

/** What a function returns: its expression, or the argument of its only `return`. */
function returned(body: AnyNode | Pattern): AnyNode | null {
  if (body.type !== 'BlockStatement') return body;
  const last = body.body.at(-1);
  return last?.type === 'ReturnStatement' ? (last.argument ?? null) : null;
}
