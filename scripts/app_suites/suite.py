# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of a collection: how it is built and run, within limits of time, memory and output."""
import os
import resource
import shutil
import signal
import struct
import subprocess
import time

GIB = 1 << 30
OUTPUT_KEPT = 400_000  # bytes of a log that are read


class Program:
    """One program: commands that build it, commands that run it, and how its output is judged."""

    def __init__(self, name, folder, builds, runs, check=None):
        self.name = name
        self.folder = folder  # where the commands run
        self.builds = builds  # argument lists
        self.runs = runs  # argument lists; empty: nothing to run
        self.check = check  # a function (output) -> Verdict or None
        self.reduce = None  # a function (command) -> the same with smaller sizes, or None
        self.needs = ""  # a reason why it is not tried, for example a library
        self.sources = [folder]  # files and folders: what is newer than the result is built again


class Limits:
    def __init__(self, build_seconds, run_seconds, memory, file_size):
        self.build_seconds = build_seconds
        self.run_seconds = run_seconds
        self.memory = memory
        self.file_size = file_size

    def apply(self, cpu_seconds):
        """Runs in the child: a program that ignores its limits must not harm the machine."""
        resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.file_size, self.file_size))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Outcome:
    """What a command did: its exit status (negative: a signal), output and time."""

    def __init__(self, status, output, seconds, timed_out):
        self.status = status
        self.output = output
        self.seconds = seconds
        self.timed_out = timed_out


def read_log(path):
    """The start and the end of a log: the first error and the last words of a program matter."""
    with open(path, "rb") as file:
        data = file.read(OUTPUT_KEPT)
        size = os.fstat(file.fileno()).st_size
        if size > 2 * OUTPUT_KEPT:
            file.seek(size - OUTPUT_KEPT)
        return (data + file.read(OUTPUT_KEPT)).decode("utf-8", "replace")


def execute(command, folder, environment, limits, seconds, log):
    """Runs a command in a process group of its own, all of which ends with the limit."""
    start = time.monotonic()
    cpu_seconds = 16 * int(seconds)  # a program may use all processors until its time is over
    with open(log, "wb") as output:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=lambda: limits.apply(cpu_seconds))
        except OSError as error:
            return Outcome(127, f"{command[0]}: {error.strerror}", 0.0, False)
        timed_out = False
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = process.wait()
    return Outcome(status, read_log(log), time.monotonic() - start, timed_out)


def copy_tree(source, target):
    """Copies what is new or changed: programs write into their own folders, never the checkout."""
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name != ".git"]
        there = os.path.join(target, os.path.relpath(folder, source))
        os.makedirs(there, exist_ok=True)
        for name in files:
            old, new = os.path.join(folder, name), os.path.join(there, name)
            if os.path.islink(old) and not os.path.lexists(new):
                os.symlink(os.readlink(old), new)
            elif os.path.isfile(old) and is_stale(old, new):
                shutil.copy2(old, new)


def is_stale(old, new):
    if not os.path.exists(new):
        return True
    return os.path.getmtime(old) != os.path.getmtime(new) and not newer(new, old)


def newer(path, other):
    return os.path.getmtime(path) > os.path.getmtime(other)


def newest(paths):
    """The time of the newest source below the paths."""
    latest = 0.0
    for path in paths:
        if os.path.isfile(path):
            latest = max(latest, os.path.getmtime(path))
        for folder, folders, files in os.walk(path):
            folders[:] = [name for name in folders if name != ".git"]
            for name in files:
                if not os.path.islink(os.path.join(folder, name)):
                    latest = max(latest, os.path.getmtime(os.path.join(folder, name)))
    return latest


def write_bitmap(path, side, value):
    """A square image of three channels, for programs that read one."""
    pixels = bytes(value(x, y, channel)
                   for y in range(side) for x in range(side) for channel in range(3))
    head = struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54)
    head += struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
    with open(path, "wb") as file:
        file.write(head + pixels)
