import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import { readText } from './files.ts';

/** What a package.json says of the site. */
export interface PackageSigns {
  /** Its `homepage`, unless that leads to where the code is. */
  readonly homepage: string | null;
  /** The names of its scripts that push to GitHub Pages. */
  readonly pagesScripts: readonly string[];
}

/** A command that pushes a folder to the branch of GitHub Pages; its folder, where it names one. */
export const PUSHES_PAGES =
  /(?<![\w-])gh-pages[ \t][^\n]{0,200}?(?:-d|--dist)(?:[ \t]+|=)["']?([^\s"']+)|\bgit\b[^\n]{0,200}?\bpush\b[^\n]{0,200}?\bgh-pages\b/;

/** Reads the package.json of a folder; a broken one, or none, says nothing. */
export async function readPackage(folder: string): Promise<PackageSigns> {
  const text = await readText(path.join(folder, 'package.json'));
  try {
    const { homepage, scripts } = Object(JSON.parse(text ?? 'null')) as { homepage?: unknown; scripts?: unknown };
    const entries = Object.entries(Object(scripts) as Record<string, unknown>);
    return {
      homepage: siteOf(homepage),
      pagesScripts: entries.flatMap(([name, script]) => (PUSHES_PAGES.test(String(script)) ? [name] : [])),
    };
  } catch {
    return { homepage: null, pagesScripts: [] };
  }
}

function siteOf(homepage: unknown): string | null {
  const site = parseBaseUrl(typeof homepage === 'string' ? homepage : '');
  if (!site.ok || /(?:^|\.)(?:github|gitlab|npmjs|bitbucket)\.(?:com|org)$/.test(site.base.hostname)) return null;
  return site.base.href;
}
