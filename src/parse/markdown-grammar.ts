/** The Markdown parser, set up: CommonMark, GFM tables where a text may hold some, labels known from elsewhere. */
import type { Root } from 'mdast';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { type Data, type Processor, unified } from 'unified';
import { mayHoldTable } from './markdown-table.ts';

type MicromarkExtension = NonNullable<Data['micromarkExtensions']>[number];

/**
 * Parses one piece of a text. `labels` are link labels that other pieces define, in the parser's normal form: references
 * to them are references here, too. Pure and synchronous; hostile texts take quadratic time and much memory.
 */
export function parseTree(text: string, labels: ReadonlySet<string>): Root {
  const tables = mayHoldTable(text);
  if (labels.size === 0) {
    if (!tables) return (plain ??= processor(false)).parse(text);
    return (withTables ??= processor(true)).parse(text);
  }
  return processor(tables, knowing(labels)).parse(text);
}

let plain: ReturnType<typeof processor> | undefined;
let withTables: ReturnType<typeof processor> | undefined;

function processor(tables: boolean, extension?: MicromarkExtension) {
  const extensions = function (this: Processor): void {
    const data = this.data();
    data.micromarkExtensions = [...(tables ? [gfmTable()] : []), ...(extension === undefined ? [] : [extension])];
    data.fromMarkdownExtensions = tables ? [gfmTableFromMarkdown()] : [];
  };
  return unified().use(remarkParse).use(extensions).freeze();
}

/** Makes labels known to the parser before it looks at the first reference: blocks come before what is in them. */
function knowing(labels: ReadonlySet<string>): MicromarkExtension {
  const told = new WeakSet<object>();
  return {
    document: {
      null: {
        // Tried at the start of lines, where containers begin; never matches.
        tokenize(_effects, _ok, nok) {
          if (!told.has(this.parser)) {
            told.add(this.parser);
            this.parser.defined = known(this.parser.defined, labels);
          }
          return nok;
        },
      },
    },
  };
}

/** The parser searches its labels one by one, for every reference. */
function known(defined: string[], labels: ReadonlySet<string>): string[] {
  return Object.assign(defined, {
    includes: (label: string) => labels.has(label) || Array.prototype.includes.call(defined, label),
  });
}
