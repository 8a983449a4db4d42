"""Runs one command and tells what its whole tree of processes took: Node cannot ask the system for that.

stopwatch.py <seconds> <argument>...

Writes a line of JSON to descriptor 3: exit status, wall and cpu time in milliseconds, peak memory in MiB. Cpu counts all
processes that were waited for (wait4(2)); memory is that of the largest of them. A command that takes longer is killed.
"""

import json
import os
import signal
import sys
import time

limit, argv = int(sys.argv[1]), sys.argv[2:]
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM)


def end(*_):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


# Not between the start of the command and the knowledge of its process: nothing may be left running.
signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
start = time.perf_counter()
pid = os.posix_spawnp(
    argv[0],
    argv,
    os.environ,
    file_actions=[(os.POSIX_SPAWN_CLOSE, 3)],
    setpgroup=0,
    setsigmask=[],
    setsigdef=[signal.SIGPIPE],  # Python ignores it, a command does not
)
for one in ENDING:
    signal.signal(one, end)
signal.alarm(limit)
signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - start
told = {
    "status": os.waitstatus_to_exitcode(status),
    "wallMs": wall * 1000,
    "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
    # macOS counts bytes, Linux KiB.
    "peakMiB": usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
}
os.write(3, json.dumps(told).encode())
