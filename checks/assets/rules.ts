import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';

export const RULES = {
  'script-missing': 'error',
  'script-failed': 'error',
  'script-type': 'error',
  'module-type': 'error',
  'script-integrity': 'error',
  'script-cors': 'error',
  'chunk-missing': 'error',
  'side-script-missing': 'error',
  'side-script-refused': 'error',
  'legacy-script-missing': 'warning',
  'script-type-unusual': 'warning',
  'style-missing': 'error',
  'style-type': 'error',
  'style-integrity': 'error',
  'style-cors': 'error',
  'image-missing': 'error',
  'image-type': 'error',
  'font-missing': 'warning',
  'icon-missing': 'warning',
  'manifest-missing': 'warning',
  'preload-missing': 'warning',
  'config-file-missing': 'error',
  'mixed-content': 'error',
  'mixed-image': 'warning',
  'local-address': 'error',
  'asset-failed': 'error',
  'external-failed': 'warning',
  'limit-reached': 'info',
  'git-lfs-pointer': 'error',
  'asset-empty': 'warning',
  ...NOT_RECEIVED_RULES,
} as const;

export type Rule = keyof typeof RULES;

/** Without these files, or with files that browsers refuse, the page stays blank. */
export const VITAL: readonly Rule[] = [
  'script-missing',
  'script-failed',
  'script-type',
  'module-type',
  'script-integrity',
  'script-cors',
];
