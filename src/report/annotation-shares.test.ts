import { describe, expect, it } from 'vitest';
import { finding } from '../../test/reports.ts';
import type { Finding, Location } from '../check.ts';
import { sharesOf } from './github.ts';
import type { Group } from './groups.ts';
import { LOCATE_NOTHING, type Locate } from './location.ts';
import { locateInDocs as inDocs } from '../../test/reports/samples.ts';

const at = (path: string, line: number, column = 1): Location => ({ path, line, column });
const missing = (...locations: readonly Location[]): Finding => {
  const [location] = locations;
  return finding({ rule: 'missing', ...(location === undefined ? {} : { location, locations }) });
};
const group = (id: string, findings: readonly Finding[], more: Partial<Group> = {}): Group => ({
  ...(id === 'source' ? { role: 'source' } : {}),
  id,
  rule: 'missing',
  severity: 'error',
  findings,
  count: findings.length,
  ...more,
});
/** What is deployed in another version has no lines. */
const onlyFiles: Locate = ({ path }) => ({ file: path, line: null, column: null });
const lines = (path: string, count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, index) => missing(at(path, index + 1)));

/** `links a.md:3 ×2`: the check, the place, how many findings. */
const reported = (groups: readonly Group[], most = 10, locate = inDocs): readonly string[] =>
  sharesOf(groups, most, locate).map(({ group: { id }, count, location }) => {
    const where = location === null ? '-' : [location.file, location.line].filter((part) => part !== null).join(':');
    return `${id} ${where} ×${count}`;
  });

describe('annotations of one level', () => {
  const rows: readonly { name: string; groups: readonly Group[]; most?: number; locate?: Locate; are: string[] }[] = [
    {
      name: 'a missing link at three lines of two files',
      groups: [
        group('links', [
          missing(at('index.md', 5)),
          missing(at('guide/index.md', 3)),
          missing(at('guide/index.md', 5)),
        ]),
      ],
      are: ['links docs/index.md:5 ×1', 'links docs/guide/index.md:3 ×1', 'links docs/guide/index.md:5 ×1'],
    },
    {
      name: 'one missing page that three places link to',
      groups: [group('links', [missing(at('a.md', 3), at('b.md', 3), at('b.md', 7))])],
      are: ['links docs/a.md:3 ×1', 'links docs/b.md:3 ×1', 'links docs/b.md:7 ×1'],
    },
    {
      name: 'two on one line',
      groups: [group('links', [missing(at('a.md', 3, 1)), missing(at('a.md', 3, 40))])],
      are: ['links docs/a.md:3 ×2'],
    },
    {
      name: 'more than there is room for',
      groups: [group('links', lines('a.md', 12), { count: 30 })],
      are: [...Array.from({ length: 9 }, (_, index) => `links docs/a.md:${index + 1} ×1`), 'links docs/a.md:10 ×21'],
    },
    {
      name: 'two checks with many',
      groups: [group('links', lines('a.md', 9)), group('assets', lines('b.md', 9))],
      most: 6,
      are: [
        'links docs/a.md:1 ×1',
        'links docs/a.md:2 ×1',
        'links docs/a.md:3 ×7',
        'assets docs/b.md:1 ×1',
        'assets docs/b.md:2 ×1',
        'assets docs/b.md:3 ×7',
      ],
    },
    {
      name: 'a check with two codes, and one with little',
      groups: [
        group('links', lines('a.md', 9)),
        group('links', lines('b.md', 9), { rule: 'moved' }),
        group('assets', lines('c.md', 2)),
      ],
      most: 7,
      are: [
        'links docs/a.md:1 ×1',
        'links docs/a.md:2 ×1',
        'links docs/a.md:3 ×7',
        'links docs/b.md:1 ×1',
        'links docs/b.md:2 ×8',
        'assets docs/c.md:1 ×1',
        'assets docs/c.md:2 ×1',
      ],
    },
    {
      name: 'no room but for one each',
      groups: [group('links', lines('a.md', 3)), group('assets', lines('b.md', 3))],
      most: 2,
      are: ['links docs/a.md:1 ×3', 'assets docs/b.md:1 ×3'],
    },
    {
      name: 'the first place of each before further places of any',
      groups: [group('links', [missing(at('a.md', 1), at('b.md', 1), at('c.md', 1)), missing(at('d.md', 1))])],
      most: 2,
      are: ['links docs/a.md:1 ×1', 'links docs/d.md:1 ×2'],
    },
    {
      name: 'nothing known in the repository',
      groups: [group('links', lines('a.md', 3))],
      locate: LOCATE_NOTHING,
      are: ['links - ×3'],
    },
    {
      name: 'what is known nowhere goes with the last',
      groups: [group('links', [missing(), missing(at('a.md', 1)), missing(at('b.md', 1))])],
      are: ['links docs/a.md:1 ×1', 'links docs/b.md:1 ×2'],
    },
    {
      name: 'files whose lines are not known: one each',
      groups: [group('links', [missing(at('a.md', 1)), missing(at('a.md', 2)), missing(at('b.md', 1))])],
      locate: onlyFiles,
      are: ['links a.md ×2', 'links b.md ×1'],
    },
    {
      name: 'files as a whole',
      groups: [
        group(
          'assets',
          ['a.md', 'b.md'].map((path) => finding({ rule: 'stale', evidence: { path } })),
        ),
      ],
      are: ['assets docs/a.md ×1', 'assets docs/b.md ×1'],
    },
    {
      name: 'files that are live in another version: nothing is wrong in them',
      groups: [group('source', lines('a.md', 3)), group('links', lines('b.md', 2))],
      are: ['source docs/a.md:1 ×3', 'links docs/b.md:1 ×1', 'links docs/b.md:2 ×1'],
    },
    { name: 'nothing', groups: [], are: [] },
  ];

  it.each(rows)('$name', ({ groups, most, locate, are }) => {
    expect(reported(groups, most, locate)).toEqual(are);
  });

  it('report a finding at its own place only', () => {
    const locations = [at('a.md', 3), at('a.md', 3, 9), at('b.md', 7)];
    const [first, second] = sharesOf([group('links', [missing(...locations)])], 10, inDocs);
    const reportedAt = (share: typeof first): readonly unknown[] => [
      ...new Set(share?.members.map(([, location]) => location)),
    ];
    expect(reportedAt(first)).toEqual([at('a.md', 3), at('a.md', 3, 9)]);
    expect(reportedAt(second)).toEqual([at('b.md', 7)]);
  });
});
