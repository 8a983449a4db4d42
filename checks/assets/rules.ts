import { NOT_RECEIVED_RULES } from '../../src/expect/not-received.ts';

/** Of the scripts that the page cannot start without: the check `bundle` reports them. */
export const START_RULES = {
  'engine-not-loaded': 'error',
  'script-missing': 'error',
  'script-failed': 'error',
  'script-empty': 'error',
  'script-syntax': 'error',
  'script-type': 'error',
  'module-type': 'error',
  'script-integrity': 'error',
  'script-cors': 'error',
  'local-address': 'error',
  'policy-blocks-engine': 'error',
  'script-unchecked': 'info',
} as const;

export type StartRule = keyof typeof START_RULES;

export const RULES = {
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
  'worker-missing': 'warning',
  'worker-refused': 'warning',
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
