import schema from '../config/docvitals.schema.json' with { type: 'json' };
import type { Answers } from './answers.ts';
import { yamlScalar } from './yaml-scalar.ts';

/** Where the monitor serves its status page, unless the user changes it. */
export const MONITOR_ADDRESS = '127.0.0.1:9464';

/** A docvitals.yaml that editors complete and check. */
export function configText({ url, source, host, language, monitor }: Answers): string {
  const lines = [
    `# yaml-language-server: $schema=${schema.$id}`,
    // `$` begins an environment variable there.
    `url: ${yamlScalar(url.replaceAll('$', '$$$$'))}`,
    ...(source === null ? [] : [`source: ${yamlScalar(source)}`]),
    ...(host === null ? [] : [`host: ${host}`]),
    `language: ${language}`,
    ...(monitor ? ['monitor:', `  listen: ${MONITOR_ADDRESS}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
