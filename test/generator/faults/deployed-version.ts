/** What the site tells of its version against the one that was expected. */
import type { ExpectedVersion } from '../../../src/site/types.ts';
import { parseVersionFrom } from '../../../src/config/formats.ts';
import type { Deployment } from '../deployment.ts';
import { changeHeaders, edit, fault, type Fault, type FaultOptions } from './fault.ts';

const COMMIT = '5f3c2a1b9d8e7f60112233445566778899aabbcc';
const OLDER = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';

/** The site is expected to be of the commit, by default. */
function expecting(expected: Partial<ExpectedVersion> = {}): FaultOptions {
  return {
    site: { languages: ['en'], pages: 4, depth: 1 },
    wants: () =>
      Promise.resolve({ expected: { version: COMMIT, from: null, optional: false, since: null, ...expected } }),
  };
}

function from(text: string): Pick<ExpectedVersion, 'from'> {
  const parsed = parseVersionFrom(text);
  if (!parsed.ok) throw new Error(`no place: ${text}`);
  return { from: parsed.place };
}

/** Adds an element to the head of the bundle. */
function addToHead(deployment: Deployment, element: string): void {
  edit(deployment, 'index.html', /<title/i, `${element}<title`);
}

function tell(deployment: Deployment, value: unknown, path = 'version.json'): void {
  deployment.files.set(path, `${JSON.stringify(value)}\n`);
}

const LONG_AGO = Date.parse('2001-01-01T00:00:00Z');
const FAR_AHEAD = Date.parse('2101-01-01T00:00:00Z');

export const VERSION_FAULTS: readonly Fault[] = [
  fault(
    'the commit in version.json',
    {},
    (deployment) => tell(deployment, { version: '1.4.0', commit: COMMIT.slice(0, 8) }),
    expecting(),
  ),
  fault(
    'the commit in a <meta>',
    {},
    (deployment) => addToHead(deployment, `<meta name="commit" content="${COMMIT}">`),
    expecting(),
  ),
  fault(
    'the commit in a header',
    {},
    (deployment) => changeHeaders(deployment, { 'x-commit-sha': COMMIT }),
    expecting(),
  ),
  fault(
    'the commit at a place of its own',
    {},
    (deployment) => tell(deployment, { git: { sha: COMMIT } }, 'build/info.json'),
    expecting(from('build/info.json#/git/sha')),
  ),
  fault('a bundle that changed since', {}, () => {}, expecting({ version: null, since: { modifiedMs: LONG_AGO } })),
  fault('no version, where none is demanded', {}, () => {}, expecting({ optional: true })),
  fault(
    'another commit in version.json',
    { 'deployed-version': ['old-version'] },
    (deployment) => tell(deployment, { commit: OLDER }),
    expecting(),
  ),
  fault(
    'another commit in a <meta>',
    { 'deployed-version': ['old-version'] },
    (deployment) => addToHead(deployment, `<meta name="commit" content="${OLDER}">`),
    expecting(),
  ),
  fault(
    'another commit, where none is demanded',
    { 'deployed-version': ['old-version'] },
    (deployment) => tell(deployment, { commit: OLDER }),
    expecting({ optional: true }),
  ),
  fault('no version', { 'deployed-version': ['no-version'] }, () => {}, expecting()),
  fault(
    'a version in another form',
    { 'deployed-version': ['no-version'] },
    (deployment) => tell(deployment, { version: '1.4.0' }),
    expecting(),
  ),
  fault(
    'no file at the place of the version',
    { 'deployed-version': ['version-not-found'] },
    (deployment) => tell(deployment, { commit: COMMIT }),
    expecting(from('build.json#/commit')),
  ),
  fault(
    'no such member at the place of the version',
    { 'deployed-version': ['version-not-found'] },
    (deployment) => tell(deployment, { commit: COMMIT }),
    expecting(from('version.json#/git/commit')),
  ),
  fault(
    'a bundle that did not change since',
    { 'deployed-version': ['not-changed'] },
    () => {},
    expecting({ version: null, since: { modifiedMs: FAR_AHEAD } }),
  ),
];
