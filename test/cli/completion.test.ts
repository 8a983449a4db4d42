import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { HOST_NAMES } from '../../src/hosting/rules.ts';
import { runHere } from './run-here.ts';
import { runCli } from './run.ts';

const installed = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const posix = process.platform !== 'win32';
const IDS = checks.map(({ id }) => id);

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { status, stdout, stderr } = await runCli(['completion', shell]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const word of ['check', 'explain', 'completion', ...IDS]) expect(stdout).toContain(word);
  });

  const shells = ['bash', 'zsh', 'fish'].filter((shell) => posix && installed(shell));

  it.runIf(shells.length > 0).each(shells)('prints what %s can parse', async (shell) => {
    const { stdout } = await runHere(['completion', shell]);
    const { status, stderr } = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

/** What bash offers for a command line whose last word is being typed. */
function complete(script: string, words: readonly string[]): string[] {
  // With its usual COMP_WORDBREAKS, readline hands `--only=x` over as three words.
  const typed = words.flatMap((word) => word.split(/(?<=[=:])|(?=[=:])/));
  const last = typed.length - 1;
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=${last}; COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; COMPREPLY=()
"$(complete -p docvitals | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" docvitals "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask, 'bash', ...typed], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

const SITE_COMMANDS = ['check', 'init', 'config', 'explain', 'hosting', 'serve', 'manifest', 'completion'];
const MONITOR_COMMANDS = [
  'monitor',
  'maintenance',
  'incidents',
  'history',
  'alert',
  'status',
  'drill',
  'example',
  'coordinator',
  'runner',
  'help',
];
const COMMANDS = [...SITE_COMMANDS, ...MONITOR_COMMANDS];

const BASH: readonly { typed: readonly string[]; offers: readonly string[] }[] = [
  {
    typed: ['docvitals', ''],
    offers: [...COMMANDS, '--help', '--version'],
  },
  { typed: ['docvitals', 'ch'], offers: ['check'] },
  { typed: ['docvitals', 'check', '--re'], offers: ['--report', '--retries', '--resolve'] },
  { typed: ['docvitals', 'check', '--only', ''], offers: IDS },
  { typed: ['docvitals', 'check', 'https://x/', '--skip', 'na'], offers: ['navigation'] },
  { typed: ['docvitals', 'check', '--format', 'pre'], offers: ['pretty'] },
  { typed: ['docvitals', 'check', '--report', 'js'], offers: ['json='] },
  { typed: ['docvitals', 'config', 's'], offers: ['schema'] },
  { typed: ['docvitals', 'drill', '--format', ''], offers: ['pretty', 'json'] },
  { typed: ['docvitals', 'example', 'kubernetes-d'], offers: ['kubernetes-deployment'] },
  { typed: ['docvitals', 'help', 'mo'], offers: ['monitor'] },
  { typed: ['docvitals', 'maintenance', 's'], offers: ['start'] },
  { typed: ['docvitals', 'alert', 't'], offers: ['test'] },
  { typed: ['docvitals', 'status', 'e'], offers: ['export'] },
  { typed: ['docvitals', 'monitor', '--log', ''], offers: ['pretty', 'json'] },
  { typed: ['docvitals', 'history', '--resolution', 'm'], offers: ['minute'] },
  { typed: ['docvitals', 'incidents', '--format', 'c'], offers: ['csv'] },
  { typed: ['docvitals', 'init', '--workflow', 'n'], offers: ['nightly', 'none'] },
  { typed: ['docvitals', 'explain', '--lang', ''], offers: ['en', 'ro', 'fr'] },
  { typed: ['docvitals', 'explain', 'config/trail'], offers: ['config/trailing-comma'] },
  { typed: ['docvitals', 'completion', 'z'], offers: ['zsh'] },
  { typed: ['docvitals', 'hosting', 'p'], offers: ['platform'] },
  { typed: ['docvitals', 'serve', '--host', ''], offers: HOST_NAMES },
  { typed: ['docvitals', 'check', '--timeout', ''], offers: [] },
  { typed: ['docvitals', 'check', '--config', ''], offers: [] },
  { typed: ['docvitals', 'check', '--only=na'], offers: ['navigation'] },
];

describe.runIf(posix && installed('bash'))('in bash', async () => {
  const { stdout: script } = await runHere(['completion', 'bash']);

  it.each(BASH)('$typed offers $offers', ({ typed, offers }) => {
    expect(complete(script, typed).toSorted()).toEqual(offers.toSorted());
  });
});
