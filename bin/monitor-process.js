// What a process that watches sites for months is set to, before anything of it is loaded.
import { readFileSync } from 'node:fs';
import v8 from 'node:v8';

// Resolving a name takes a thread until it ends, and half of them may do it at a time: with as many as rounds go on at
// once, names whose servers are silent keep nobody waiting. A thread that never works costs some kilobytes.
const THREADS = 512;

// Where fewer tasks are allowed, as in some containers: a thread that cannot be made would end the process.
function threads() {
  try {
    const most = Number(readFileSync('/sys/fs/cgroup/pids.max', 'utf8'));
    return Number.isNaN(most) ? THREADS : Math.max(4, Math.min(THREADS, Math.floor(most / 4)));
  } catch {
    return THREADS;
  }
}

export function prepareMonitor() {
  // It has to be said before the first thread is used.
  process.env.UV_THREADPOOL_SIZE ??= String(threads());
  // What is no longer needed is given back soon, not when it has piled up.
  v8.setFlagsFromString('--optimize-for-size');
}
