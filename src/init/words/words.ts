import type { HostKind } from '../../check.ts';
import type { FileState } from '../write.ts';
import type { WorkflowKind } from '../workflows/kinds.ts';

/** What `docvitals init` says, in one language. All strings come printable. */
export interface InitWords {
  /** What was found; a `null` says that nothing was. `sign` is the file that says so. */
  foundSite(folder: string | null, engine: string | null): string;
  foundHost(provider: string | null, sign: string): string;
  foundRepository(name: string | null, branch: string | null): string;
  readonly outsideRepository: string;
  /** `origin`: the file or the guess that says so; `null`: whoever runs it. */
  address(url: string, origin: string | null): string;
  guessed(provider: string): string;

  readonly askLanguage: string;
  readonly askUrl: string;
  readonly askHost: string;
  readonly hosts: Readonly<Record<HostKind, string>>;
  readonly hostUnknown: string;
  readonly askWorkflows: string;
  readonly workflows: Readonly<Record<WorkflowKind, string>>;
  askHosting(host: string): string;
  readonly askMonitor: string;
  readonly askWrite: string;
  readonly yes: string;
  readonly no: string;
  readonly cancelled: string;

  /** Above the tree of files. */
  planned(root: string): string;
  readonly states: Readonly<Record<FileState, string>>;
  /** How to have files replaced that are left alone. */
  readonly leftAlone: string;
  readonly dryRun: string;
  readonly nothingToWrite: string;
  written(count: number): string;

  configured(file: string): string;
  /** Before a job that is to be added to a workflow. */
  paste(file: string): string;
  /** Before the command for a CI that has no workflows of GitHub's; `forge`: its name, `null`: none is known. */
  command(forge: string | null): string;
  noHosting(provider: string): string;
  /** `command` prints what a host's file has to say. */
  hosting(file: string, command: string): string;
  /** The folder that is deployed is not known; `base`: the site's own below it, `null`: it is the site's. */
  deployedFolder(file: string, base: string | null): string;
  readonly afterwards: Readonly<Record<WorkflowKind, string>>;
  /** GitHub cannot reach the address; `isWritten`: the workflows are written all the same. */
  unreachable(url: string, isWritten: boolean): string;
  /** How the monitor that was asked for is started. */
  monitor(command: string): string;
  monitorOffer(command: string): string;
  next(command: string): string;
}
