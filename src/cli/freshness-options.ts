import type { Command } from 'commander';
import { countOf, durationOf, MOST_STABLE } from '../project/arguments.ts';
import { sinceOf, versionFromOf, versionOf } from '../project/version-arguments.ts';

/** Adds the options that say which version is to be live, and how long to wait for it. */
export function addFreshnessOptions(command: Command): Command {
  return command
    .option('--wait <duration>', 'ask until the site is healthy and fresh, at most so long: 5m', durationOf('--wait'))
    .option(
      '--stable <count>',
      'good rounds in a row that --wait wants (default: 2)',
      countOf('--stable', 1, MOST_STABLE),
    )
    .option(
      '--expect-version <version>',
      'version that is to be live, such as the commit that was deployed',
      versionOf('--expect-version'),
    )
    .option(
      '--version-from <place>',
      'where the site tells it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
      versionFromOf('--version-from'),
    )
    .option(
      '--since <what>',
      'ETag or date of the bundle before the deploy, which is to have changed; or now',
      sinceOf('--since'),
    );
}
