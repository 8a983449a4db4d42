"""Runs a command and measures its whole tree of processes, which Node cannot.

stopwatch.py <seconds> <argument>...

Writes JSON to descriptor 3: exit status, wall and cpu time in ms, peak memory in MiB. Cpu counts all processes that were
waited for (wait4(2)); memory is that of the largest of them. A command that takes longer than the limit is killed.
"""

import json
import os
import signal
import sys
import time

limit, argv = int(sys.argv[1]), sys.argv[2:]
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM)

# A signal between the start of the command and the assignment of its process would leave it running.
signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
start = time.perf_counter()
pid = os.posix_spawnp(
    argv[0],
    argv,
    os.environ,
    file_actions=[(os.POSIX_SPAWN_CLOSE, 3)],
    setpgroup=0,
    setsigmask=[],
    setsigdef=[signal.SIGPIPE],  # Python ignores it, a command does not.
)
for one in ENDING:
    signal.signal(one, lambda *_: os.killpg(pid, signal.SIGKILL))
signal.alarm(limit)
signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - start
measured = {
    "status": os.waitstatus_to_exitcode(status),
    "wallMs": wall * 1000,
    "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
    # macOS counts bytes, Linux KiB.
    "peakMiB": usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10),
}
os.write(3, json.dumps(measured).encode())
