/** Names that were replaced before the first release: programs would rely on them if one came back. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../checks/index.ts';
import { generatedPages } from '../src/build/site/build.ts';
import { programIn } from '../src/build/site/reference/cli.ts';
import { ownMetrics } from '../src/build/site/reference/markdown.ts';
import { LANGUAGES } from '../src/locales/language.ts';
import { exportsOfLibrary } from './docs/library.ts';
import { runHere } from './cli/run-here.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** As they stood in programs and files; a name is not found as a part of a longer one. */
const OLD = {
  rules: [
    ['untold', 'went-away', 'out-of-time', 'left-out', 'mostly-left-out', 'assets-other-words', 'bundle-other-words'],
    ['left-to-caches', 'markdown-as-it-is', 'llms-txt-unread', 'html-lost', 'headings-drifted', 'code-drifted'],
    ['tables-drifted', 'no-place', 'foreign-failed', 'script-type-odd', 'only-named', 'cut-short'],
    ['assets-first', 'slash-dropped', 'markdown-differs', 'no-html', 'list-ignored', 'etag-crosses', 'md-path-html'],
    ['soft-404-host-unknown', 'set-by-host', 'query-not-negotiated', 'slash-not-negotiated'],
  ].flat(),
  /** And values of them. */
  options: ['--objective', '--resolution round', 'tap'],
  addresses: ['feed.rss'],
  /** Of the configuration, as its schema has them. */
  keys: ['"pages"', '"depth"', '"control"', '"objective"', '"rounds"'],
  fields: [
    ['remediation', 'places', 'troubles', 'codes', 'rounds', 'allGreenMs', 'inTurn', 'five'],
    ['objectiveMs', 'objectiveMet', 'objectiveFrom', 'isWhole', 'Round'],
    ['recoveryTimeObjectiveFrom'],
  ].flat(),
  metrics: [
    ['docvitals_rounds_total', 'docvitals_rounds_late_total', 'docvitals_rounds_ours_total', 'docvitals_trouble'],
    ['docvitals_wait_rounds', 'docvitals_wait_all_green_seconds', 'docvitals_last_good_timestamp_seconds'],
    ['docvitals_start_timestamp_seconds', 'docvitals_requests', 'docvitals_page_requests'],
    ['docvitals_alerts_sent_total', 'docvitals_alerts_failed_total', 'docvitals_alerts_pending'],
    ['docvitals_alerts_oldest_pending_timestamp_seconds', 'docvitals_objective_seconds'],
    ['docvitals_incident_objective_total', 'docvitals_incident_objective_end_timestamp_seconds'],
  ].flat(),
  events: [
    ['round-failed', 'round-not-kept', 'rounds-not-kept', 'rounds-ours', 'rounds-trusted', 'alert-sent'],
    ['alert-failed', 'alert-given-up', 'alert-refresh-failed', 'outbox-failed', 'outbox-works'],
    ['notice-sent', 'notice-failed', 'notifications-not-kept', 'notifications-kept', 'incidents-not-reconciled'],
    ['runs-rejected', 'runners-survived'],
  ].flat(),
  /** Of the events. */
  facts: ['alert'],
  exports: ['RuleGrade', 'RoundState', 'PlaceDocument', 'RepositoryPlace', 'Surroundings'],
};

/** Too short to look for them anywhere else. */
const LABELS = new Set(['code', 'trouble']);
const COMMANDS = new Set(['list']);

const { keys, facts, ...others } = OLD;
const NAMES = Object.values(others).flat();

const foundIn = (text: string, names: readonly string[] = NAMES): readonly string[] =>
  names.filter((name) => new RegExp(String.raw`(?<![\w-])${name.replaceAll('.', String.raw`\.`)}(?![\w-])`).test(text));

describe('no old name is left', () => {
  it.each([
    'dist/schema/config.json',
    'dist/schema/report.json',
    'dist/schema/api.json',
    'dist/schema/documents.json',
    'src/monitor/fleet/queue.schema.json',
    'src/generated/openapi.json',
    'src/generated/metrics.json',
    'src/monitor/examples/grafana/docvitals.json',
    'src/core/check.ts',
  ])('in %s', (file) => {
    // Words of descriptions are prose.
    const text = read(file).replaceAll(/"description": "[^"]*"/g, '');
    expect(foundIn(text)).toEqual([]);
  });

  it.each(['dist/schema/report.json', 'dist/schema/api.json', 'dist/schema/documents.json'])(
    'for the severity of a finding in %s: no status of a check',
    (file) => {
      const severities = [...read(file).matchAll(/"severity": \{[^{}]*"enum": \[([^\]]*)\]/g)].map(([, words = '']) =>
        words.split(',').map((word) => word.trim()),
      );
      expect(severities.length).toBeGreaterThan(0);
      const known = new Set(['"error"', '"warning"', '"info"', 'null']);
      expect(severities.flat().filter((word) => !known.has(word))).toEqual([]);
    },
  );

  it('among the keys of the configuration', () => {
    expect(foundIn(read('dist/schema/config.json'), keys)).toEqual([]);
  });

  it('in the rules of Prometheus', () => {
    expect(foundIn(read('src/monitor/examples/prometheus/docvitals.rules.yml'), OLD.metrics)).toEqual([]);
  });

  it('among the rules of checks', () => {
    expect(checks.flatMap(({ rules }) => Object.keys(rules)).filter((name) => OLD.rules.includes(name))).toEqual([]);
  });

  it('among the rules that printed files name', () => {
    expect(foundIn(read('src/generated/templates.json'), OLD.rules)).toEqual([]);
  });

  it('among the labels of metrics', () => {
    const labels = Object.values(ownMetrics).flatMap((metric) => metric.labels ?? []);
    expect(labels).toContain('rule');
    expect(labels.filter((label) => LABELS.has(label))).toEqual([]);
  });

  it('among the events of the log, and their facts', () => {
    const [, log = ''] = /^log:\n((?: .*\n)+)/m.exec(read('src/locales/en.yaml')) ?? [];
    const names = [...log.matchAll(/^ {2}(\S+)\((?:\{(.*?)\})?\):/gm)].map(([, event, own]) => `${event} ${own}`);
    expect(names.length).toBeGreaterThan(30);
    expect(foundIn(names.join('\n'), [...NAMES, ...facts])).toEqual([]);
  });

  it('in the help of any command', async () => {
    const commands = programIn('en').commands.map((command) => command.name());
    expect(commands.filter((command) => COMMANDS.has(command))).toEqual([]);
    for (const command of commands) {
      const { stdout, status } = await runHere([command, '--help']);
      expect(status).toBe(0);
      expect({ command, found: foundIn(stdout, OLD.options) }).toEqual({ command, found: [] });
    }
  });

  it('among the exports of the library', () => {
    const names = exportsOfLibrary().map(({ name }) => name);
    expect(names.filter((name) => OLD.exports.includes(name))).toEqual([]);
    for (const { name, declaration } of exportsOfLibrary()) {
      const text = declaration.replaceAll(/\/\*\*[^]*?\*\//g, '');
      expect({ name, found: foundIn(text) }).toEqual({ name, found: [] });
    }
  });

  it('as code on any page', () => {
    const pages = globSync('{README.md,docs/**/*.md,checks/**/*.md}', { cwd: ROOT });
    expect(pages.length).toBeGreaterThan(100);
    for (const page of pages) {
      const code = [...read(page).matchAll(/`[^`\n]+`/g)].map(([found]) => found).join('\n');
      expect({ page, found: foundIn(code, [...NAMES, 'round']) }).toEqual({ page, found: [] });
    }
  });

  it.each(LANGUAGES)('in the generated reference, in %s', async (language) => {
    for (const [page, text] of await generatedPages(language)) {
      if (!/^(?:reference|checks)\//.test(page)) continue;
      // What is between backticks or in a block is a name; the rest is prose.
      const names = [...text.matchAll(/`[^`\n]+`|^```[^]*?^```/gm)].map(([found]) => found).join('\n');
      // The evidence of a check may have the codes of languages.
      const found = foundIn(names, page.startsWith('checks/') ? [...OLD.rules, ...OLD.options] : NAMES);
      expect({ page, found }).toEqual({ page, found: [] });
    }
  });
});
