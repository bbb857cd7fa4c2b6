# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""secure_run.py <how> <program> <caller's folder>: runs a copy of the program as user 65534.

How: plain; setuid (of root); setgid (of group 0); capability (in the file). The caller's variables
name its folder: a compiler library, headers, and folders of caches. Prints what the program prints
and which of the folders have anything in them afterwards.
"""
import os
import shutil
import struct
import subprocess
import sys

USER = 65534
how, program, caller = sys.argv[1:]
folder = os.path.dirname(os.path.abspath(program))
copy = os.path.join(folder, how)
shutil.copyfile(program, copy)
os.chown(copy, 0, 0)
os.chmod(copy, {"setuid": 0o4755, "setgid": 0o2755}.get(how, 0o755))
if how == "capability":  # version 2, effective: CAP_NET_RAW
    value = struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0)
    os.setxattr(copy, "security.capability", value)

caches = ["tenon-cache", "sycl-cache", "xdg-cache", "home"]
for name in caches + ["tmp"]:
    path = os.path.join(caller, name)
    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path, 0o700)
    os.chown(path, USER, USER)
environment = {
    "PATH": "/usr/bin:/bin",
    "CPATH": os.path.join(caller, "include"),
    "TMPDIR": os.path.join(caller, "tmp"),
    "HOME": os.path.join(caller, "home"),
}
names = {"tenon-cache": "TENON_CACHE_DIR", "sycl-cache": "SYCL_CACHE_DIR",
         "xdg-cache": "XDG_CACHE_HOME", "home": "HOME"}


def run(more, *words):
    done = subprocess.run([copy, *words], env={**environment, **more}, user=USER, group=USER,
                          extra_groups=[], cwd=folder, capture_output=True, text=True, timeout=110)
    return done.stdout + done.stderr


print(run({}, "headers"), end="")
for name in caches[:3]:
    run({names[name]: os.path.join(caller, name)})
library = run({"TENON_COMPILER_LIBRARY": os.path.join(caller, "library.so"), "TENON_CACHE": "0"})
print("\n".join(line for line in library.splitlines() if "library of" in line))
print("caches:", " ".join(c for c in caches if os.listdir(os.path.join(caller, c))))
