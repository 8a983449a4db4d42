import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepare } from './markdown-text.ts';
import { parseMarkdown, type MarkdownFacts } from './markdown.ts';
import type { ReadLimit } from './untrusted.ts';
import { createWorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

function pool(options: Partial<WorkerPoolOptions> = {}) {
  const { close, read } = createWorkerPool({ limitMs: 20_000, ...options });
  onTestFinished(() => close());
  const parse = (whole: string, most = Infinity): Promise<MarkdownFacts | ReadLimit> => {
    const { text, ...cut } = prepare(whole, Infinity);
    return read('markdown-facts', text, { ...cut, most });
  };
  return { close, read, parse };
}

/** Takes seconds. */
const HOSTILE = '!['.repeat(1_000_000);

async function titles(parsed: Promise<MarkdownFacts | ReadLimit>): Promise<string> {
  const facts = await parsed;
  return facts.ok ? facts.headings.map(({ text }) => text).join(' ') : facts.limit;
}

describe('a pool', () => {
  it('gives each text its own facts, in whatever number they come', async () => {
    const { parse } = pool();
    const texts = Array.from({ length: 100 }, (_, index) => `# ${index}`);
    const found = await Promise.all(texts.map((text) => titles(parse(text))));
    expect(found).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
  });

  it('gives the facts that parsing here gives', async () => {
    const text = `---\na: b\n---\n# Title\n\n[a](b.md) <a href="c&amp;d"> ![e][f] https://g.example\n\n[f]: g.svg\n`;
    expect(await pool().parse(text)).toEqual(await parseMarkdown(text, { limitMs: 20_000, inlineMs: 5000 }));
  });

  it('reads a text to its end', async () => {
    const parsed = await pool().parse('[a](b.md)\n\n'.repeat(20_000));
    expect(parsed.ok ? [parsed.links.length, parsed.whole] : parsed).toEqual([20_000, true]);
  });

  it('starts its thread at once, and only one for its texts', async () => {
    let threads = 0;
    const onThread = (): void => void (threads += 1);
    subscribe('worker_threads', onThread);
    onTestFinished(() => void unsubscribe('worker_threads', onThread));
    const { parse } = pool();
    expect(threads).toBe(1);
    await Promise.all([parse('# a'), parse('# b')]);
    expect(threads).toBe(1);
  });

  it('works again after it was idle', async () => {
    const { parse } = pool();
    expect([await titles(parse('# a')), await titles(parse('# b'))]).toEqual(['a', 'b']);
  });

  it('keeps as many entries of each list as it may', async () => {
    const parsed = await pool().parse('# a\n# b\n# c\n[d](e)\n', 2);
    expect(parsed).toMatchObject({ whole: false, headings: [{ text: 'a' }, { text: 'b' }], links: [{ url: 'e' }] });
  });
});

describe('a pool: limits', () => {
  it('loses the hostile text, not those behind it', async () => {
    const { parse } = pool({ limitMs: 1000 });
    const texts = ['# a', HOSTILE, '# b', '# c', HOSTILE, '# d'];
    expect(await Promise.all(texts.map((text) => titles(parse(text))))).toEqual(['a', 'time', 'b', 'c', 'time', 'd']);
  });

  it('reports when the memory runs out, and goes on', async () => {
    const { parse } = pool({ memoryMb: 16 });
    const large = '*a* [b](c)\n'.repeat(200_000);
    expect(await Promise.all([parse(large), titles(parse('# a'))])).toEqual([{ ok: false, limit: 'memory' }, 'a']);
  });

  it.each([
    { name: 'ten megabytes of brackets', text: '['.repeat(10_000_000) },
    { name: 'ten megabytes of emphasis', text: '*a '.repeat(3_300_000) },
    { name: 'ten megabytes of list items in list items', text: '- a\n '.repeat(2_000_000) },
    { name: 'ten megabytes of tables', text: 'a|\n-|\n'.repeat(1_600_000) },
    { name: 'ten megabytes of quote marks', text: '>'.repeat(10_000_000) },
  ])(
    'stays within its limits: $name',
    async ({ text }) => {
      const { parse } = pool({ limitMs: 3000, memoryMb: 64 });
      const began = performance.now();
      const [parsed, title] = await Promise.all([parse(text), titles(parse('# b'))]);
      expect(parsed.ok || ['time', 'memory'].includes(parsed.limit)).toBe(true);
      expect(title).toBe('b');
      // Twice the limit and more: this machine may have other work to do.
      expect(performance.now() - began).toBeLessThan(15_000);
    },
    30_000,
  );
});

describe('a pool: its end', () => {
  it('gives up on what waits', async () => {
    const { parse, close } = pool();
    const parsed = [HOSTILE, '# a'].map((text) => parse(text));
    await close();
    expect(await Promise.all([...parsed, parse('# b')])).toEqual([1, 2, 3].map(() => ({ ok: false, limit: 'ended' })));
  });

  it('comes with the signal, and leaves nothing on it', async () => {
    const controller = new AbortController();
    const { parse, close } = pool({ signal: controller.signal });
    const parsed = parse(HOSTILE);
    controller.abort();
    expect(await parsed).toEqual({ ok: false, limit: 'ended' });
    await close();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('may come before the beginning', async () => {
    const { parse } = pool({ signal: AbortSignal.abort() });
    expect(await parse('# a')).toEqual({ ok: false, limit: 'ended' });
  });

  it('may come twice, and without a beginning', async () => {
    const { close } = pool();
    await Promise.all([close(), close()]);
    await expect(close()).resolves.toBeUndefined();
  });

  it.each([
    { name: 'before the first text', script: '' },
    {
      name: 'after the last',
      script:
        "console.log((await pool.read('markdown-facts', '# a', { whole: true, moreContent: false, most: 9 })).headings[0].text)",
      output: 'a\n',
    },
  ])('comes with that of the process: $name', async ({ script, output = '' }) => {
    const module = new URL('worker-pool.ts', import.meta.url).href;
    const begin = `const { createWorkerPool } = await import('${module}'); const pool = createWorkerPool({ limitMs: 20_000 });`;
    const { promise, resolve } = Promise.withResolvers<readonly [error: unknown, output: string]>();
    const args = ['--input-type=module', '--eval', `${begin} ${script}`];
    execFile(process.execPath, args, { timeout: 20_000 }, (error, stdout) => resolve([error, stdout]));
    expect(await promise).toEqual([null, output]);
  });
});
