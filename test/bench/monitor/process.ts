/** What the operating system knows of a process that goes on: Linux only. */
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (USER_HZ, which is 100 on every architecture of Linux that Node knows). */
const TICKS_A_SECOND = 100;

/** User and system time of a process with all its threads, in ms, in steps of 10. proc(5). */
export function cpuMsOf(pid: number): number {
  // The name of the program is in parentheses and may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1000;
}

/** The largest resident size that a process has had, in MiB. */
export const peakMiBOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
