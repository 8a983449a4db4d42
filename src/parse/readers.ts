/** What reads a text of a site, by name, in this thread or in a worker. Each is pure, and loads only what it needs. */
import type { CssUrl } from './css-urls.ts';
import type { HtmlResources } from './html-links.ts';
import { explainJson, type JsonNote, type JsonProblem } from './json.ts';
import { boundedFacts, type Prepared } from './markdown-text.ts';
import type { MarkdownFacts, MarkdownOutline, Wanted } from './markdown.ts';
import type { ModuleImports } from './module-imports.ts';
import type { RobotsFile } from './robots.ts';
import type { ScriptFiles, ScriptSettings } from './script-settings.ts';
import type { SyntaxProblem } from './script-syntax.ts';
import type { workersOfPage, WorkerRegistration } from './worker-registrations.ts';

/** `most`: most entries of each list of facts. Markdown is prepared by who sends it, so that no more of it is sent than is read. */
export interface Readings {
  'markdown-facts': Reading<Cut & { readonly most: number }, MarkdownFacts>;
  'markdown-outline': Reading<Cut & { readonly wanted: readonly Wanted[] }, MarkdownOutline>;
  'script-settings': Reading<{ readonly files: ScriptFiles }, Ok & ScriptSettings>;
  'html-resources': Reading<null, Ok & HtmlResources>;
  'script-syntax': Reading<{ readonly isModule: boolean }, Ok & { readonly problem: SyntaxProblem | null }>;
  'workers-of-page': Reading<null, Ok & ReturnType<typeof workersOfPage>>;
  'workers-of-script': Reading<null, Ok & { readonly registrations: readonly WorkerRegistration[] }>;
  'css-urls': Reading<null, Ok & { readonly urls: readonly CssUrl[] }>;
  'module-imports': Reading<null, Ok & ModuleImports>;
  robots: Reading<{ readonly isCut: boolean }, Ok & RobotsFile>;
  json: Reading<{ readonly isValid: boolean }, Ok & { readonly remarks: readonly (JsonNote | JsonProblem)[] }>;
}

type Cut = Omit<Prepared, 'text'>;

interface Reading<How, What> {
  readonly options: How;
  readonly result: What;
}

export interface Ok {
  readonly ok: true;
}

export type ReaderName = keyof Readings;
export type Options<Name extends ReaderName> = Readings[Name]['options'];
export type Result<Name extends ReaderName> = Readings[Name]['result'];

type Readers = {
  readonly [Name in ReaderName]: () => Promise<(text: string, options: Options<Name>) => Result<Name>>;
};

export const READERS: Readers = {
  'markdown-facts': async () => {
    const { readFacts } = await import('./markdown-facts.ts');
    return (text, { most, ...cut }) => boundedFacts(readFacts({ text, ...cut }), most);
  },
  'markdown-outline': async () => {
    const { readOutline } = await import('./markdown-outline.ts');
    return (text, { wanted, ...cut }) => readOutline({ text, ...cut }, wanted);
  },
  'script-settings': async () => {
    const { readScriptSettings } = await import('./script-settings.ts');
    return (text, { files }) => ({ ok: true, ...readScriptSettings(text, files) });
  },
  'html-resources': async () => {
    const { htmlResources } = await import('./html-links.ts');
    return (text) => ({ ok: true, ...htmlResources(text) });
  },
  'script-syntax': async () => {
    const { syntaxProblem } = await import('./script-syntax.ts');
    return (text, { isModule }) => ({ ok: true, problem: syntaxProblem(text, isModule) });
  },
  'workers-of-page': async () => {
    const { workersOfPage } = await import('./worker-registrations.ts');
    return (text) => ({ ok: true, ...workersOfPage(text) });
  },
  'workers-of-script': async () => {
    const { workersOfScript } = await import('./worker-registrations.ts');
    return (text) => ({ ok: true, registrations: workersOfScript(text) });
  },
  'css-urls': async () => {
    const { cssUrls } = await import('./css-urls.ts');
    return (text) => ({ ok: true, urls: cssUrls(text) });
  },
  'module-imports': async () => {
    const { moduleImports } = await import('./module-imports.ts');
    return (text) => ({ ok: true, ...moduleImports(text) });
  },
  robots: async () => {
    const { parseRobots } = await import('./robots.ts');
    return (text, { isCut }) => ({ ok: true, ...parseRobots(text, isCut) });
  },
  json: () => Promise.resolve((text, { isValid }) => ({ ok: true, remarks: explainJson(text, isValid) })),
};
