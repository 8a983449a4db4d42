import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { OutputError, writeFileWhole, writeOut } from '../output.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../project/usage-error.ts';

/** The examples that `--help` shows. They are run by the tests. */

export const GENERAL_EXAMPLES = `
Examples:
  docvitals check https://docs.example.com/
  docvitals explain config/trailing-comma
  docvitals check --help
  docvitals monitor --help
`;

export const CHECK_EXAMPLES = `
Examples:
  docvitals check https://docs.example.com/
  docvitals check https://example.com/docs/ --lang fr
  docvitals check https://docs.example.com/ --full
  docvitals check https://docs.example.com/ --only links,assets
  docvitals check https://docs.example.com/ --only bundle,config --format json
  docvitals check https://docs.example.com/ --report json=report.json --quiet
  docvitals check https://docs.example.com/ --wait 5m --source docs
  docvitals check https://docs.example.com/ --wait 5m --expect-version "$GITHUB_SHA"
  docvitals check https://docs.example.com/ --resolve docs.example.com:443:192.0.2.7
  docvitals check https://staging.example.com/ --header "Authorization: Bearer $TOKEN"
`;

export const EXPLAIN_EXAMPLES = `
Examples:
  docvitals explain navigation
  docvitals explain navigation/spa-fallback --lang ro
  docvitals explain spa-fallback
  docvitals explain navigation --format json
`;

export const COMPLETION_EXAMPLES = `
Examples:
  docvitals completion bash > ~/.local/share/bash-completion/completions/docvitals
  docvitals completion zsh > "\${fpath[1]}/_docvitals"
  docvitals completion fish > ~/.config/fish/completions/docvitals.fish
`;

export const HOSTING_EXAMPLES = `
Examples:
  docvitals hosting nginx --url https://docs.example.com/ > docs.conf
  docvitals hosting vercel --base /docs/ --out deploy
  docvitals hosting worker --documented
`;

export const SERVE_EXAMPLES = `
Examples:
  docvitals serve docs --host worker
  docvitals serve public --host platform --base /docs/ --port 8080
`;

export const MANIFEST_EXAMPLES = `
Examples:
  docvitals manifest docs --out manifest.json
  docvitals check https://docs.example.com/ --source manifest.json
`;

export const INIT_EXAMPLES = `
Examples:
  docvitals init --yes --url https://docs.example.com/ --dry-run
  docvitals init --yes --url https://docs.example.com/ --workflow nightly
  docvitals init --yes --url https://example.com/docs/ --host server --hosting
`;

export const CONFIG_EXAMPLES = `
Examples:
  docvitals config check
  docvitals config schema > docvitals.schema.json
`;

/* Files that a command prints or writes into a folder. */

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** One file as it is; several each below a line that names it. */
export function printedFiles(files: readonly NamedText[]): string {
  if (files.length === 1) return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `==> ${name} <==\n${text}`).join('\n');
}

/**
 * Writes all files into a folder, which is made where it is not there, and prints their names. Throws a `UsageError`, and
 * writes none, where one of them is there already and `force` is not set; rejects with an `OutputError`.
 */
export async function writeNewFiles(files: readonly NamedText[], out: string, force: boolean): Promise<void> {
  const targets = files.map(({ name, text }) => ({ file: path.join(out, name), text }));
  for (const { file } of targets) {
    if (!force && (await exists(file))) throw new UsageError((messages) => messages.fileExists(printable(file)));
  }
  for (const { file, text } of targets) {
    await makeFolder(path.dirname(file)).catch((error: unknown) => {
      throw new OutputError(path.dirname(file), error);
    });
    await writeFileWhole(file, text);
    await writeOut(`${printable(file)}\n`);
  }
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );
