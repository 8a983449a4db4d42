/** Wikis that other people wrote, and how the built command must evaluate them. Only names and results are here. */
export interface RealSite {
  /** `owner/repository@branch:folder`; by default the newest commit and its root. */
  readonly from: string;
  readonly engine: 'VertiWiki' | 'MDwiki' | 'docsify';
  readonly version: string | null;
  /** Verdict of the core checks on a host that returns 404 for missing files. */
  readonly verdict: 'healthy' | 'degraded';
  /** The same on a host with an SPA fallback, where it differs. */
  readonly withFallback?: 'down';
  /** Where the folder has no `index.html` that is the engine: its file, from the folder on, that was served as such. */
  readonly bundle?: 'mdwiki.html' | 'dist/index.html' | '../dist/index.html';
  /** Links that lead nowhere, as the engine in Chromium shows them. The command reports these and no others. */
  readonly dead: number;
}

export const REAL_SITES: readonly RealSite[] = [
  // Seen with the router, parser and navigation of 0.9.0, without diagrams, formulas and themes, and with the links of
  // the pages of 0.9.2; not with the bundle that the repository has.
  {
    from: 'Octadira/vertiwiki',
    engine: 'VertiWiki',
    version: '0.9.0',
    bundle: 'dist/index.html',
    verdict: 'healthy',
    dead: 7,
  },
  {
    from: 'Octadira/vertiwiki:demo',
    engine: 'VertiWiki',
    version: '0.9.0',
    bundle: '../dist/index.html',
    verdict: 'healthy',
    dead: 5,
  },
  { from: 'Dynalon/mdwiki@gh-pages', engine: 'MDwiki', version: '0.6.2', verdict: 'healthy', dead: 5 },
  { from: 'Oink70/Wiki', engine: 'MDwiki', version: '0.6.2', verdict: 'healthy', dead: 1 },
  {
    from: 'andey-robins/webnotes',
    engine: 'MDwiki',
    version: '0.6.1',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    dead: 1,
  },
  {
    from: 'athrabeth/tlrwiki',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    withFallback: 'down',
    dead: 0,
  },
  {
    from: 'domhnallohanlon/arduinonotes',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    dead: 1,
  },
  {
    from: 'domhnallohanlon/rpi',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'degraded',
    dead: 5,
  },
  {
    from: 'eugeneai/logtalk-mooc-site',
    engine: 'MDwiki',
    version: '0.7.0',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    withFallback: 'down',
    dead: 0,
  },
  { from: 'exalted/mdwiki-seed:ll_CC', engine: 'MDwiki', version: '0.6.2', verdict: 'healthy', dead: 0 },
  {
    from: 'qiuyuhua/openapi-wiki',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    dead: 2,
  },
  {
    from: 'stujo/react_notes',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    withFallback: 'down',
    dead: 0,
  },
  { from: 'suiranfes/wiki.suiranfes.com', engine: 'MDwiki', version: '0.6.2', verdict: 'healthy', dead: 0 },
  {
    from: 'tanakanata7190/anti-pattern-wiki',
    engine: 'MDwiki',
    version: '0.6.2',
    bundle: 'mdwiki.html',
    verdict: 'healthy',
    dead: 0,
  },
  { from: 'docsifyjs/docsify:docs', engine: 'docsify', version: '5', verdict: 'healthy', dead: 0 },
  { from: '031devstudios/weighmybru-docs:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: '0hexd0/blogs:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: '0xRaiin/primacy-scripting-docs:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: '0xknwn/signer:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: '1024bt/doc:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 1 },
  { from: '1024th/MathJax_Tutorial_CN:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 0 },
  { from: '1159371546/document:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 0 },
  { from: '12cjn/docsify-demo:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 0 },
  { from: '12rcu/kFlaky:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: '13640898201/docsifytest:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 1 },
  { from: '13roky/Docsify-Java:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 2 },
  { from: '1969749509/QFramework-Docs:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 15 },
  { from: 'CyC2018/CS-Notes:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 0 },
  { from: 'datawhalechina/pumpkin-book:docs', engine: 'docsify', version: null, verdict: 'healthy', dead: 0 },
  { from: 'jhildenbiddle/docsify-tabs:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
  { from: 'jhildenbiddle/docsify-themeable:docs', engine: 'docsify', version: '4', verdict: 'healthy', dead: 0 },
];
