/** The Action against healthy, broken and hostile sites. */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type Host } from '../../site/host.ts';
import { HOSTILE } from '../../reports/hostile.ts';
import { runAction, type ActionResult } from '../../action/run.ts';
import { serve, repositoryOf, smallSite, temporary, writeFiles, type Files } from '../../action/workspace.ts';

const SITE = smallSite('one');
const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const properties = (result: ActionResult): unknown[] =>
  [...result.errors, ...result.warnings].map((one) => one.properties);

it('report files replace links that are checked out', async () => {
  const workspace = temporary('links');
  writeFiles(workspace, { 'victim.txt': 'precious', 'out/x': '' });
  symlinkSync('../../victim.txt', path.join(workspace, 'out/report.json'));
  const result = await runAction({ workspace, inputs: { url: await serve(SITE), 'report-dir': 'out' } });
  expect([result.status, result.report()]).toMatchObject([0, { verdict: 'healthy' }]);
  expect(readFileSync(path.join(workspace, 'victim.txt'), 'utf8')).toBe('precious');
});

describe('a healthy site', () => {
  it('passes: outputs, job summary, report files, nothing left behind', async () => {
    const result = await runAction({ inputs: { url: await serve(SITE) } });
    expect(result.status).toBe(0);
    expect(result.outputs).toEqual({
      verdict: 'healthy',
      failed: '',
      summary: expect.stringMatching(/^healthy: /) as unknown,
      'report-dir': expect.stringMatching(/docvitals-\w+$/) as unknown,
      'report-json': expect.stringMatching(/report\.json$/) as unknown,
      'artifact-id': '',
      'artifact-url': '',
      fresh: '',
      'live-after-ms': '',
    });
    expect(result.report()).toMatchObject({ verdict: 'healthy', summary: { pass: 5 } });
    expect(result.summary).toContain('| ');
    expect(result.errors).toEqual([]);
    expect([result.leftBehind, result.stderr]).toEqual(['', '']);
  });

  it('full, in three languages', async () => {
    const url = await serve(SITE);
    const inputs = { url, full: 'true', skip: 'compression, caching' };
    const results = await Promise.all(['en', 'ro', 'fr'].map((lang) => runAction({ inputs: { ...inputs, lang } })));
    expect(results.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(new Set(results.map(({ summary }) => summary.split('\n')[0])).size).toBe(3);
  });

  it('below an address of the configuration in the workspace', async () => {
    const { folder } = repositoryOf([SITE]);
    writeFiles(folder, { 'docvitals.yaml': `url: ${await serve(SITE)}\nonly: [bundle]\n` });
    const result = await runAction({ workspace: folder });
    expect([result.status, result.outputs['verdict']]).toEqual([0, 'healthy']);
    expect(result.report()).toMatchObject({ checks: [{ id: 'bundle' }] });
  });
});

describe('a site with faults', () => {
  const BROKEN: Files = {
    ...SITE,
    'config.json': '{\n  "homePage": "index.md",\n}\n',
    'guide.md': '# Guide\n\nAll about one.\n\n[Gone](gone.md)\n',
  };

  it('fails, with annotations on the lines of the repository', async () => {
    const { folder } = repositoryOf([BROKEN]);
    const inputs = { url: await serve(BROKEN), full: 'true', source: 'docs', 'report-dir': 'out/reports' };
    const result = await runAction({ inputs, workspace: folder });
    expect([result.status, result.outputs['verdict']]).toEqual([1, 'down']);
    expect(result.outputs['failed']?.split(',')).toEqual(expect.arrayContaining(['config', 'links']));
    expect(result.outputs['report-json']).toBe(path.join(folder, 'out/reports/report.json'));
    expect(readdirSync(path.join(folder, 'out/reports')).toSorted()).toEqual([
      'report.html',
      'report.json',
      'report.junit.xml',
      'report.md',
      'report.sarif',
    ]);
    expect(properties(result)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: 'docs/config.json', line: '2' }),
        expect.objectContaining({ file: 'docs/guide.md', line: '5' }),
      ]),
    );
  });

  it('has an annotation for each line with a broken link', async () => {
    const site: Files = {
      ...SITE,
      'index.md': '# Handbook\n\nWelcome.\n\n[Gone](gone.md)\n',
      'guide.md': '# Guide\n\n[Lost](lost.md)\n\n[Gone](gone.md)\n',
    };
    const { folder } = repositoryOf([site]);
    const inputs = { url: await serve(site), full: 'true', source: 'docs', only: 'links' };
    const result = await runAction({ inputs, workspace: folder });
    expect(result.errors.map(({ properties: { file, line } }) => `${file}:${line}`).toSorted()).toEqual([
      'docs/guide.md:3',
      'docs/guide.md:5',
      'docs/index.md:5',
    ]);
  });

  it.each<{
    name: string;
    failOn: string;
    site: Files;
    inputs?: Readonly<Record<string, string>>;
    status: number;
    verdict: string;
  }>([
    { name: 'fail', failOn: 'fail', site: BROKEN, status: 1, verdict: 'down' },
    { name: 'never', failOn: 'never', site: BROKEN, status: 0, verdict: 'down' },
    {
      name: 'warn, a site with a warning',
      failOn: 'warn',
      site: { ...SITE, 'llms.txt': 'x' },
      status: 1,
      verdict: 'degraded',
    },
    {
      name: 'fail, a site with a warning',
      failOn: 'fail',
      site: { ...SITE, 'llms.txt': 'x' },
      status: 0,
      verdict: 'healthy',
    },
    {
      name: 'warn, whatever else is said of warnings',
      failOn: 'warn',
      site: { ...SITE, 'llms.txt': 'x' },
      inputs: { strict: 'false' },
      status: 1,
      verdict: 'degraded',
    },
  ])('fail-on $name: $status', async ({ failOn, site, inputs = {}, status, verdict }) => {
    const result = await runAction({ inputs: { url: await serve(site), 'fail-on': failOn, ...inputs } });
    expect([result.status, result.outputs['verdict']]).toEqual([status, verdict]);
    // Nobody gave an option.
    expect(result.outputs['summary']).not.toContain('--');
  });

  it('without annotations and summary: one error says what the verdict is', async () => {
    const result = await runAction({ inputs: { url: await serve(BROKEN), annotations: 'false', summary: 'False' } });
    expect(result.summary).toBe('');
    expect(properties(result)).toEqual([{ title: 'docvitals' }]);
    expect(result.status).toBe(1);
  });

  it('annotates no more than ten errors and ten warnings', async () => {
    const pages = Array.from({ length: 40 }, (_, index) => [`p${index}.md`, `[x](gone-${index}.md) [y](#nowhere)\n`]);
    const navigation = `# N\n\n${pages.map(([name]) => `- [p](#/${name})`).join('\n')}\n`;
    const files = { ...BROKEN, ...Object.fromEntries(pages), 'navigation.md': navigation } as Files;
    const result = await runAction({ inputs: { url: await serve(files), full: 'true' } });
    expect(result.errors.length).toBeGreaterThan(0);
    expect(result.errors.length).toBeLessThanOrEqual(10);
    expect(result.warnings.length).toBeLessThanOrEqual(10);
  });

  it('is compared in the container of a job, where the checkout belongs to another user, once Git trusts it', async () => {
    const { folder } = repositoryOf([BROKEN]);
    const inputs = { url: await serve(BROKEN), source: 'HEAD:docs' };
    const run = (env: Readonly<Record<string, string>> = {}) =>
      runAction({ inputs, workspace: folder, env: { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } });
    const refused = await run();
    expect([refused.status, refused.errors[0]?.data]).toEqual([2, expect.stringContaining('safe.directory')]);
    // The workflow allows it in Git's own configuration.
    const allowed = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: folder };
    const result = await run(allowed);
    expect([result.status, result.outputs['fresh']]).toEqual([1, 'true']);
    expect(properties(result)).toEqual(expect.arrayContaining([expect.objectContaining({ file: 'docs/config.json' })]));
  });

  it.each([
    { failOn: 'fail', status: 3 },
    { failOn: 'never', status: 0 },
  ])('that this machine cannot reach, fail-on $failOn: $status', async ({ failOn, status }) => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:9' };
    const result = await runAction({ inputs: { url: 'http://docs.test/', 'fail-on': failOn }, env });
    expect([result.status, result.outputs['verdict']]).toEqual([status, 'unknown']);
    expect(result.errors.length > 0).toBe(failOn === 'fail');
  });

  it('that is down', async () => {
    const host = await listen(() => undefined);
    await host.close();
    const result = await runAction({ inputs: { url: host.url } });
    expect([result.status, result.outputs['verdict'], result.errors.length]).toEqual([1, 'down', 1]);
  });
});

/** Every node of a Markdown text, as GitHub reads it. */
function nodesOf(markdown: string): { readonly type: string; readonly url?: string; readonly value?: string }[] {
  const data = { micromarkExtensions: [gfmTable()], fromMarkdownExtensions: [gfmTableFromMarkdown()] };
  const tree = unified().data(data).use(remarkParse).parse(markdown);
  const all = (node: object): { readonly type: string }[] => [
    node as { type: string },
    ...((node as { children?: object[] }).children ?? []).flatMap(all),
  ];
  return all(tree);
}

describe('a hostile site', () => {
  const texts = Object.values(HOSTILE).filter((text) => text.length < 2000);
  const links = texts.map(
    (text) => `- [${text.replaceAll(/[[\]\r\n]/g, ' ')}](<#/${encodeURIComponent(text.toWellFormed())}.md>)`,
  );

  async function attack(): Promise<string> {
    const host = await listen(({ url = '' }, response) => {
      const name = url.slice(1);
      if (name === 'config.json') {
        response.writeHead(200, { 'content-type': 'application/json;::error::x', 'x-a': '##[error]x' });
        return response.end(
          `{"homePage": "::error::x\r\n::set-output name=verdict::healthy\n",\n##[error]x ::stop-commands::x}`,
        );
      }
      if (name === 'navigation.md') {
        response.writeHead(200, { 'content-type': 'text/markdown' });
        return response.end(`# N\n\n${links.join('\n')}\n\n![x](http://evil.test/x.png)\n`);
      }
      if (name === 'index.md') {
        response.writeHead(302, { location: '/%0A::error::owned%0D##[error]owned' });
        return response.end();
      }
      response.writeHead(404, '::error::owned', { 'content-type': 'text/html' });
      return response.end('##[error]x\n::error::x');
    });
    hosts.push(host);
    return host.url;
  }

  it('says nothing that is a command, an image or a link', async () => {
    const url = await attack();
    const result = await runAction({ inputs: { url, full: 'true' } });
    expect([result.status, result.outputs['verdict']]).toEqual([1, 'down']);
    const names = new Set(result.commands.map(({ name }) => name));
    expect([...names].toSorted()).toEqual(['endgroup', 'error', 'group', 'warning']);
    const ids = new Set((result.report()['checks'] as { id: string }[]).map(({ id }) => id));
    for (const { properties: given } of [...result.errors, ...result.warnings])
      expect(ids).toContain(given['title']?.split('/')[0]);
    expect(result.leftBehind).toBe('');
    const nodes = nodesOf(result.summary);
    expect(nodes.filter(({ type }) => type === 'image' || type === 'html').map(({ value }) => value)).toEqual([]);
    const outside = nodes.filter((node) => node.type === 'link' && node.url?.startsWith(url) !== true);
    expect(outside).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'table')).toHaveLength(1);
  });

  it('with so many faults that the summary has no room: the worst have some, and it stays below 1 MiB', async () => {
    const pages = Array.from({ length: 200 }, (_, index) => `[${index}](${'x'.repeat(600)}-${index}.md)`);
    const files = { ...SITE, 'navigation.md': `# N\n\n${pages.join('\n')}\n` };
    const inputs = { url: await serve(files), full: 'true', 'fail-on': 'never' };
    const result = await runAction({ inputs, summary: 'before\n'.repeat(135_000) });
    expect([result.status, result.outputs['failed']?.includes('links')]).toEqual([0, true]);
    expect(Buffer.byteLength(result.summary)).toBeLessThan(2 ** 20);
    expect(result.summary).toContain('links/missing');
    // What was left out is reported, and where it is.
    expect(result.summary.slice(-2000)).toContain(result.outputs['report-json']);
  });
});

describe('a configuration with another address than that of the deployment', () => {
  it('sends it no headers, applies no other settings, and reports both in a notice', async () => {
    const received = new Set<string | undefined>();
    const preview = await listen(({ url = '/', headers }, response) => {
      received.add(headers['x-token']?.toString());
      response.end(SITE[url.slice(1)]);
    });
    hosts.push(preview);
    const workspace = temporary('preview');
    const own =
      'url: https://docs.example.com/\nheaders: { X-Token: s3cret-token }\nonly: [navigation]\nlanguage: fr\n';
    writeFiles(workspace, { 'docvitals.yaml': own });
    const { commands, log, output } = await runAction({
      workspace,
      event: { deployment_status: { state: 'success', environment_url: preview.url } },
      env: { GITHUB_EVENT_NAME: 'deployment_status' },
    });
    expect([...received]).toEqual([undefined]);
    const notice = commands.find(({ name }) => name === 'notice');
    expect(notice?.data).toContain(`not applied to ${new URL(preview.url).origin}: headers, only, language.`);
    expect(notice?.data).toContain('. headers sends a header');
    expect(output).not.toContain('s3cret-token');
    expect(log.join('\n')).toContain('Home page');
  });
});
