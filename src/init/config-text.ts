import schema from '../config/docvitals.schema.json' with { type: 'json' };
import type { Answers } from './answers.ts';
import { yamlScalar } from './yaml-scalar.ts';

/** A docvitals.yaml that editors complete and check. */
export function configText({ url, source, host, language }: Answers): string {
  const lines = [
    `# yaml-language-server: $schema=${schema.$id}`,
    // `$` begins an environment variable there.
    `url: ${yamlScalar(url.replaceAll('$', '$$$$'))}`,
    ...(source === null ? [] : [`source: ${yamlScalar(source)}`]),
    ...(host === null ? [] : [`host: ${host}`]),
    `language: ${language}`,
  ];
  return `${lines.join('\n')}\n`;
}
