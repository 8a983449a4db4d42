import { CHECKS } from './styles/checks.ts';
import { FINDINGS } from './styles/findings.ts';
import { HEADING } from './styles/heading.ts';
import { MEDIA } from './styles/media.ts';
import { TOKENS } from './styles/tokens.ts';

/** The one style sheet, as its bytes stand in the file and as its hash is made. */
export const STYLES = [TOKENS, HEADING, CHECKS, FINDINGS, MEDIA].join('').replaceAll(/\n\s*/g, '\n');
