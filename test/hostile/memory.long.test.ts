/** Sites that send more than fits into memory: `--full` stays within its bounds and reports what it did not check. */
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen, MEDIA_TYPES } from '../site/host.ts';

const MOST_MIB = 400;

const SITE: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Docs</title><div id="app"></div>',
  'config.json': '{}',
  'navigation.md': '- [Home](index.md)\n',
  'index.md': '# Docs\n',
  'llms.txt': '# Docs\n\n- [Home](index.md)\n',
};

/** Text of about `megabytes` MB, made of numbered parts. */
function repeated(megabytes: number, part: (index: number) => string): Buffer {
  const length = Buffer.byteLength(part(1000));
  return Buffer.from(Array.from({ length: (megabytes * 1e6) / length }, (_, index) => part(index)).join(''));
}

function repeatedText(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join('');
}

/** Checks links and assets of a site. `body`: of a path that is not one of the usual files; or of one of them. */
async function check(body: (path: string) => Buffer | string | undefined, what = ['--only', 'links,assets']) {
  const host = await listen(({ url = '' }, response) => {
    const path = url.slice(1);
    const text = body(path) ?? SITE[path];
    const type = MEDIA_TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(text);
  });
  try {
    const args = ['check', host.url, ...what, '--deadline', '40s', '--format', 'json'];
    const { stdout, maxRssMiB } = await runCli(args);
    const { checks } = JSON.parse(stdout) as {
      checks: readonly { findings: readonly { rule: string; evidence: Readonly<Record<string, unknown>> }[] }[];
    };
    const findings = checks.flatMap((each) => each.findings);
    return { maxRssMiB, leftOut: findings.find(({ rule }) => rule.endsWith('/limit-reached'))?.evidence };
  } finally {
    await host.close();
  }
}

describe('memory of a full check', () => {
  it('is bounded for modules that import 300,000 others, each of them as many', async () => {
    const imports = repeated(6, (index) => `import"./m${String(index).padStart(6, '0')}.js";\n`);
    const index = `${SITE['index.html'] ?? ''}<script type="module" src="a.js"></script>`;
    const { maxRssMiB, leftOut } = await check((path) => {
      if (path === 'index.html') return index;
      return /^(?:a|m\d{6})\.js$/.test(path) ? imports : undefined;
    });
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    expect(leftOut).toMatchObject({ left: expect.any(Number) as number, unread: expect.any(Number) as number });
  });

  it.each<{ name: string; head: string; kind: RegExp; text: string }>([
    {
      name: 'stylesheets that name 2,000 files each',
      head: repeatedText(130, (index) => `<link rel="stylesheet" href="${index}.css">`),
      kind: /\/\d+\.css$/,
      text: repeatedText(2_000, (index) => `a{background:url(${index}.png)}`),
    },
    {
      name: 'modules that load 500 files ahead each',
      head: repeatedText(130, (index) => `<script type="module" src="${index}.js"></script>`),
      kind: /\/\d+\.js$/,
      text: `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[${repeatedText(500, (index) => `"x/${index}.js",`)}])))=>i.map(i=>d[i]);`,
    },
  ])('is bounded below an address of 7,600 characters: $name', async ({ head, kind, text }) => {
    const index = `${SITE['index.html'] ?? ''}<base href="/${'a/'.repeat(3_790)}">${head}`;
    const { maxRssMiB, leftOut } = await check((path) => {
      if (path === 'index.html') return index;
      return kind.test(path) ? text : undefined;
    });
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    expect(leftOut).toMatchObject({ unread: expect.toSatisfy((count) => count > 100) as number });
  });

  it('is bounded for eleven scripts and eleven pages of 9.9 MB, all of them different', async () => {
    const names = Array.from({ length: 11 }, (_, index) => index);
    const index = `${SITE['index.html'] ?? ''}${names.map((name) => `<script src="${name}.js"></script>`).join('')}`;
    const navigation = names.map((name) => `- [x](p${name}.md)\n`).join('');
    const { maxRssMiB } = await check(
      (path) => {
        if (path === 'index.html') return index;
        if (path === 'navigation.md') return navigation;
        return /^(?:\d+\.js|p\d+\.md)$/.test(path) ? Buffer.alloc(9.9e6, `// text of ${path}\n\n`) : undefined;
      },
      ['--full'],
    );
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
  });

  it('is bounded for pages of 9 MB of headings and links', async () => {
    const page = repeated(9, (index) => `# Heading ${index}\n\n[x](p${index % 3}.md#${index})\n\n`);
    const navigation = Array.from({ length: 3 }, (_, index) => `- [x](p${index}.md)\n`).join('');
    const { maxRssMiB, leftOut } = await check((path) => {
      if (path === 'navigation.md') return navigation;
      return /^p\d+\.md$/.test(path) ? page : undefined;
    });
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    expect(leftOut).toMatchObject({ unread: 3, by: ['size'] });
  });
});
