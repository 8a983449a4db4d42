import type { Place } from '../markdown-types.ts';
import type { Fence } from './block-starts.ts';
import type { TextLine } from './found-blocks.ts';
import type { HtmlEnd } from './html.ts';

/** The block that the next line may go on with. */
export type Leaf =
  | { readonly type: 'paragraph'; readonly lines: TextLine[]; canBeHeader: boolean; isLazy: boolean }
  | { readonly type: 'fence'; readonly fence: Fence }
  | { readonly type: 'code' }
  | { readonly type: 'html'; readonly place: Place; readonly ends: HtmlEnd['ends']; value: string; end: number }
  | { readonly type: 'table' };

/** `canBeHeader`: its last line, of a table; `isLazy`: that line left out the marks of a container. */
export type Paragraph = Extract<Leaf, { type: 'paragraph' }>;
