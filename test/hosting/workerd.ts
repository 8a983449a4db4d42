/** The generated worker in workerd, for tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { Miniflare } from 'miniflare';
import type { HostFile } from '../../src/hosting/configuration.ts';

interface Settings {
  readonly main: string;
  readonly compatibility_date: string;
  readonly assets: {
    readonly directory: string;
    readonly binding: string;
    readonly run_worker_first: boolean;
    readonly html_handling: 'none';
    readonly not_found_handling: 'none';
  };
}

export interface Workerd {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves what is below `root`, the host's own root, by the files of a worker's configuration, which are added to it. */
export async function startWorkerd(root: string, files: readonly HostFile[]): Promise<Workerd> {
  for (const { name, text } of files) {
    const file = join(root, name.replace(/^public\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const errors: ParseError[] = [];
  const text = files.find(({ name }) => name === 'wrangler.jsonc')?.text ?? '';
  const { main, compatibility_date, assets } = parse(text, errors) as Settings;
  if (errors.length > 0 || assets.directory !== './public') throw new Error('wrangler.jsonc is not as it should be');
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    modules: [{ type: 'ESModule', path: 'worker.js', contents: files.find(({ name }) => name === main)?.text ?? '' }],
    compatibilityDate: compatibility_date,
    assets: {
      directory: root,
      binding: assets.binding,
      routerConfig: { invoke_user_worker_ahead_of_assets: assets.run_worker_first, has_user_worker: true },
      assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
    },
  });
  return { port: Number((await miniflare.ready).port), stop: () => miniflare.dispose() };
}
