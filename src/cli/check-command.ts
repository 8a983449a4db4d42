/** The command that checks a site. */
import { Option, type Command } from 'commander';
import { HOST_NAMES_HELP } from '../hosting/kinds.ts';
import {
  countOf,
  durationOf,
  fileOf,
  formatOf,
  headersOf,
  hostOf,
  idList,
  rateOf,
  reportTargets,
  resolveRules,
  MOST_STABLE,
  sinceOf,
  versionFromOf,
  versionOf,
} from '../project/arguments.ts';
import type { CheckFlags } from '../project/run-options.ts';
import { FORMAT_NAMES } from '../report/format-names.ts';
import { CHECK_EXAMPLES } from './examples.ts';
import { configOption, languageOption } from './shared-options.ts';

export function addCheck(program: Command, env: NodeJS.ProcessEnv, done: (status: number) => void): void {
  const command = program
    .command('check')
    .summary('check a site')
    .description(
      'Checks a site, reports what is wrong and how to fix it. Exit status: 0 healthy, 1 a check failed, 2 usage or configuration error, 3 could not be determined.',
    )
    .argument('[base-url]', 'where the site is, e.g. https://docs.example.com/ (default: url of the configuration)')
    .option('--site <id>', 'check this site of the configuration, as the monitor does', fileOf('--site'))
    .option('--full', 'run all checks: core checks and those of the whole site')
    .option('--only <ids>', 'run only these checks (comma-separated, repeatable)', idList('--only'))
    .option('--skip <ids>', 'skip these checks', idList('--skip'))
    .option('--format <format>', `what to print: ${FORMAT_NAMES.join(', ')}`, formatOf('--format'), 'pretty')
    .option('--report <format=file>', 'also write a report to a file (repeatable)', reportTargets);
  addSiteOptions(command);
  addFreshnessOptions(command)
    .addOption(languageOption())
    .option('--timeout <duration>', 'longest time for one request (default: 10s)', durationOf('--timeout'))
    .option(
      '--deadline <duration>',
      'longest time for one run (default: 60s; 5m for the whole site or --source)',
      durationOf('--deadline'),
    )
    .option(
      '--retries <count>',
      'retries after network failures, 408, 429 and 5xx (default: 2)',
      countOf('--retries', 0, 10),
    )
    .option('--header <name: value>', "sent to the site's own origin only, never printed (repeatable)", headersOf)
    .option('--resolve <host:port:address>', 'connect to this address instead, as curl does (repeatable)', resolveRules)
    .addOption(new Option('--ipv4', 'use IPv4 only').conflicts('ipv6'))
    .addOption(new Option('--ipv6', 'use IPv6 only').conflicts('ipv4'))
    .addOption(configOption())
    .option('--strict', 'warnings fail too')
    .addOption(new Option('--verbose', 'show timings and documented actions').conflicts('quiet'))
    .addOption(new Option('--quiet', 'show only what needs attention').conflicts('verbose'))
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .addHelpText('after', CHECK_EXAMPLES);
  command.action(async (url: string | undefined, flags: CheckFlags) => {
    const { check } = await import('./check.ts');
    done(await check(url, flags, env));
  });
}

/** What to look at beyond the core checks, and how far. */
function addSiteOptions(command: Command): Command {
  return command
    .option(
      '--source <what>',
      'compare with what is deployed: a folder, a Git ref (HEAD:docs) or manifest.json',
      fileOf('--source'),
    )
    .option('--host <kind>', `kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostOf)
    .option('--external', 'check links to other sites too')
    .option('--max-pages <count>', 'most pages to request (default: 10000)', countOf('--max-pages', 1, 1_000_000))
    .option(
      '--max-depth <count>',
      'most links from the navigation to a page (default: 50)',
      countOf('--max-depth', 0, 1000),
    )
    .option('--rate <count>', 'most requests a second to one host (default: as fast as it answers)', rateOf);
}

/** Adds the options that say which version is to be live, and how long to wait for it. */
function addFreshnessOptions(command: Command): Command {
  return command
    .option('--wait <duration>', 'wait until the site is healthy and fresh, up to 5m for example', durationOf('--wait'))
    .option(
      '--stable <count>',
      'healthy runs in a row that --wait needs (default: 2)',
      countOf('--stable', 1, MOST_STABLE),
    )
    .option(
      '--expect-version <version>',
      'version that should be live, such as the deployed commit',
      versionOf('--expect-version'),
    )
    .option(
      '--version-from <place>',
      'where the site publishes it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
      versionFromOf('--version-from'),
    )
    .option('--since <what>', 'ETag or date of the bundle before the deployment, or now', sinceOf('--since'));
}
