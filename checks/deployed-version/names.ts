/** Tells by its name whether a key, a `<meta>` or a header holds the version of a site. Pure. */

const split = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words for a version. */
const VERSION = split('version ver commit revision rev sha sha1 hash build release tag git deploy deployment');
/** Those of them that name the version itself; a build or a deploy has numbers of its own. */
const ITSELF = split('version ver commit revision rev sha sha1 release git');
/** Words that may stand beside them without making it the version of something else. */
const BESIDE = split(
  'x app application site website web docs doc documentation frontend ui source vcs id number name ref',
);
/** Words that make it the version of something else, or no version at all. */
const FOREIGN = split(
  'api schema format manifest engine generator node npm framework min max minimum latest next previous prev parent ' +
    'last old base time date timestamp at on branch message author committer email dirty url',
);

/** Whether a key of a file about versions tells the version: `commit`, `git/commit/id`, `buildNumber`. */
export function isVersionKey(keys: readonly string[]): boolean {
  const words = keys.flatMap(wordsOf);
  return words.some((word) => VERSION.has(word)) && !isForeign(keys);
}

/** Whether a key speaks of another version than the one that is live, or of something else. */
export function isForeign(keys: readonly string[]): boolean {
  return keys.flatMap(wordsOf).some((word) => FOREIGN.has(word));
}

/** Whether a header or a `<meta>` tells the version of the site: hosts and engines have many of their own. */
export function isVersionName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => VERSION.has(word)) && words.every((word) => VERSION.has(word) || BESIDE.has(word));
}

/** Whether a name that tells a version tells that of the site, so that another one there is a contradiction. */
export function namesItself(keys: readonly string[]): boolean {
  return keys.flatMap(wordsOf).some((word) => ITSELF.has(word));
}

/** `x-gitSHA_id` → x, git, sha, id. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
