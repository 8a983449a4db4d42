import type { ConfigProblem } from '../config/problem.ts';

/** The configuration file has mistakes: told line by line, exit 2. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('configuration');
    this.problems = problems;
  }
}
