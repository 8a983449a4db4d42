import { withoutUserinfo } from '../base-url.ts';
import { printable } from '../printable.ts';

/** An argument as an error may repeat it: printable, and without the userinfo of an address that stands in the wrong place. */
export function echoed(argument: string): string {
  return printable(withoutUserinfo(argument));
}
