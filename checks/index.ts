/**
 * The declared checks, in the order in which they are reported: the core checks, then those of the whole site.
 * A new check is a folder here and a line in this list.
 */
import type { Check } from '../src/core/check.ts';
import { assets } from './assets/check.ts';
import { bundle } from './bundle/check.ts';
import { caching } from './caching/check.ts';
import { compression } from './compression/check.ts';
import { config } from './config/check.ts';
import { home } from './home/check.ts';
import { links } from './links/check.ts';
import { llmsTxt } from './llms-txt/check.ts';
import { navigation } from './navigation/check.ts';
import { negotiation } from './negotiation/check.ts';
import { notFound } from './not-found/check.ts';
import { robots } from './robots/check.ts';
import { source } from './source/check.ts';
import { tls } from './tls/check.ts';
import { translations } from './translations/check.ts';
import { rendered } from './rendered/check.ts';
import { deployedVersion } from './deployed-version/check.ts';

/** All checks, in the order of reports. */
export const checks: readonly Check[] = [
  bundle,
  config,
  navigation,
  home,
  llmsTxt,
  notFound,
  links,
  assets,
  negotiation,
  caching,
  compression,
  robots,
  translations,
  tls,
  source,
  deployedVersion,
  rendered,
];

/** The core checks. */
export const defaultChecks: readonly Check[] = checks.filter((check) => !check.full);
