/** The declared checks, in the order in which they are reported. A new check is a folder here and a line in this list. */
import type { Check } from '../src/check.ts';
import { bundle } from './bundle/check.ts';
import { config } from './config/check.ts';
import { home } from './home/check.ts';
import { llmsTxt } from './llms-txt/check.ts';
import { navigation } from './navigation/check.ts';

export const checks: readonly Check[] = [bundle, config, navigation, home, llmsTxt];
