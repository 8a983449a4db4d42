/** Plain scalars that YAML 1.1 and 1.2 both read as text, outside and inside of flow collections. */
const PLAIN = /^(?=.*[a-z])(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z./](?:[\w./-]|:(?=[\w/]))*$/i;

/** A text as a YAML scalar that is read back as the same text, on one line. */
export function yamlScalar(text: string): string {
  // JSON strings are YAML's double-quoted scalars (YAML 1.2.2, 1.3.2), but for DEL and what breaks lines in YAML 1.1.
  if (PLAIN.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same in a workflow, where `${{` would begin an expression. */
export function workflowScalar(text: string): string {
  return yamlScalar(text.replaceAll('${{', "${{ '${{' }}"));
}
