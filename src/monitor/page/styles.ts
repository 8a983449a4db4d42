import { TOKENS } from '../../report/html/styles/tokens.ts';
import { CHARTS } from './styles/charts.ts';
import { FRAME } from './styles/frame.ts';
import { INCIDENTS } from './styles/incidents.ts';
import { MEDIA } from './styles/media.ts';
import { SITES } from './styles/sites.ts';

/** The one style sheet. Its colours and its type are those of the report. */
export const STYLES = [TOKENS, FRAME, SITES, CHARTS, INCIDENTS, MEDIA].join('').replaceAll(/\n\s*/g, '\n').trimStart();
