# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit's configuration for test/lit and test/e2e; the build's lit.site.cfg.py loads it.
import os
import shlex
import shutil
import struct
import subprocess
import sys

import lit.formats
import lit.util

if not hasattr(config, "tenon_suite"):
    lit_config.fatal("run lit on <build>/test/lit or <build>/test/e2e, not on the source folders")

sys.path.insert(0, os.path.join(config.tenon_source_dir, "test", "lit"))
sys.dont_write_bytecode = True
import space_free  # noqa: E402, beside this file

build = space_free.link_to(config.tenon_build_dir)
source = space_free.link_to(config.tenon_source_dir)
llvm = config.tenon_llvm_bin

config.name = "tenon-" + config.tenon_suite
config.suffixes = [".cpp", ".c", ".ll", ".test"]
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = os.path.join(source, "test", config.tenon_suite)
config.test_exec_root = os.path.join(build, "test", config.tenon_suite, "out")
config.test_format = lit.formats.ShTest(execute_external=False)
if config.tenon_build_dir != build or config.tenon_source_dir != source:
    config.test_format = space_free.LinkedShTest(config.test_source_root, config.test_exec_root)

# Only what a person's shell would have: a test must not depend on the tester's settings.
for name in list(config.environment):
    if name.startswith(("TENON_", "SYCL_", "ONEAPI_")) or name in ("LD_PRELOAD", "LD_LIBRARY_PATH"):
        del config.environment[name]
config.environment["PATH"] = os.pathsep.join([llvm, os.environ.get("PATH", "/usr/bin:/bin")])
config.environment["OCL_ICD_VENDORS"] = "/nonexistent"  # test/e2e/opencl has a driver
config.environment["TENON_CACHE"] = "0"  # tests of the cache set it, and a folder of their own
# Most programs launch a kernel once: of the plain build they test the full tier, and of those with
# sanitizers what users get, both tiers and the change between them (lit -Dtiered=1: here as well).
if not config.tenon_sanitize:
    config.environment["TENON_TIERED"] = lit_config.params.get("tiered", "0")
config.environment["HOME"] = os.environ.get("HOME", "/nonexistent")


def quoted(*words):
    return " ".join(shlex.quote(word) for word in words)


sanitizer_flags = {
    "address": "-fsanitize=address,undefined -fno-sanitize-recover=all",
    "thread": "-fsanitize=thread",
}
host_flags = sanitizer_flags.get(config.tenon_sanitize, "")
config.excludes += config.tenon_excluded.split(";")
if config.tenon_llvm_is_shared:
    config.available_features.add("shared-llvm")
if config.tenon_sanitize:
    config.available_features.update(["sanitizer", config.tenon_sanitize + "-sanitizer"])
    # What LLVM frees would fill the 256 MB in which freed memory waits, in each process anew.
    config.environment["ASAN_OPTIONS"] = ("detect_stack_use_after_return=1:allocator_may_return_null=1"
                                          ":quarantine_size_mb=32")
    suppressions = os.path.join(source, "test", "tsan.supp")
    config.environment["TSAN_OPTIONS"] = (f"allocator_may_return_null=1:atexit_sleep_ms=50"
                                          f":suppressions='{suppressions}'")
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

# A test that hangs fails, and no machine is so slow that another one does; lit needs psutil to end
# it and all it started.
supported, _ = lit.util.killProcessAndChildrenIsSupported()
if supported:
    lit_config.maxIndividualTestTime = 1200

# What a sanitizer finds in the runtime it tells through its runtime, which comes with the
# executable: so tenon++ links the tests' programs with it. Other compilers get %hostflags.
# The address sanitizer's runtime has the other's in it, and checks in device code are not wanted.
# What their sources begin with is precompiled once for all of them.
# Tests of the driver ask for them by %preambles, where many compilations share their options.
preambles = f"--persistent-auto-pch={shlex.quote(os.path.join(build, 'test', 'preambles'))}"
# Programs are compiled by a build without sanitizers, if there is one, which takes half of the time;
# %bindir has the driver with them, and test/lit uses it alone.
tenonxx_flags = ""
tenonxx_bin = os.path.join(build, "bin")
if config.tenon_suite == "e2e":
    tenonxx_flags = f"{host_flags.split(',')[0]} {preambles}"
    if config.tenon_plain_tree:
        tenonxx_bin = os.path.join(space_free.link_to(config.tenon_plain_tree), "bin")
        lib = os.path.join(build, "lib")
        tenonxx_flags += f" {quoted('-L' + lib, '-Wl,-rpath,' + lib)}"
config.substitutions += [
    ("%tenonxx", f"{quoted(os.path.join(tenonxx_bin, 'tenon++'))} {tenonxx_flags}".strip()),
    ("%tenoncc", f"{quoted(os.path.join(tenonxx_bin, 'tenoncc'))} {tenonxx_flags}".strip()),
    ("%tenon-lower", quoted(os.path.join(build, "bin", "tenon-lower"))),
    ("%tenon-cache", quoted(os.path.join(build, "bin", "tenon-cache"))),
    ("%tenon-image", quoted(os.path.join(build, "bin", "tenon-image"))),
    ("%preambles", preambles),
    ("%hostflags", host_flags),
    ("%clangd", quoted(os.path.join(llvm, "clangd"))),
    ("%clang-tidy", quoted(os.path.join(llvm, "clang-tidy"))),
    ("%clangxx", quoted(os.path.join(llvm, "clang++"))),
    ("%clang", quoted(os.path.join(llvm, "clang"))),
    ("%FileCheck", quoted(os.path.join(llvm, "FileCheck"))),
    ("%python", quoted(config.tenon_python)),
    ("%include", quoted(os.path.join(source, "include"))),
    ("%libdir", quoted(os.path.join(build, "lib"))),
    ("%bindir", quoted(os.path.join(build, "bin"))),
    ("%root", quoted(source)),
    ("%unit", quoted(os.path.join(build, "test", "unit"))),
]


# Debuggers need ptrace, which containers may forbid.
def can_debug():
    gdb = lit.util.which("gdb", config.environment["PATH"])
    if not gdb:
        lit_config.note("gdb is not there: tests with a debugger are left out")
        return False
    probe = subprocess.run([gdb, "-nx", "-q", "-batch", "-ex", "run", "/bin/true"],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if "exited normally" not in probe.stdout:
        lit_config.note("gdb cannot run programs here (ptrace is not permitted?): tests with a "
                        "debugger are left out")
        return False
    return True


if config.tenon_suite == "e2e" and can_debug():
    config.available_features.add("gdb")


if lit.util.which("ccache", config.environment["PATH"]):
    config.available_features.add("ccache")


if all(os.path.exists(os.path.join(llvm, name)) for name in ("clangd", "clang-tidy")):
    config.available_features.add("clang-tools")


# For machine code of NVIDIA's GPUs.
if lit.util.which("ptxas", config.environment["PATH"]) or os.path.exists("/usr/local/cuda/bin/ptxas"):
    config.available_features.add("ptxas")


# Open MPI, for the example with it.
def has_mpi():
    if config.tenon_suite != "e2e" or lit.util.which("mpirun", config.environment["PATH"]) is None:
        return False
    try:
        asked = subprocess.run(["mpicxx", "--showme:link"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


if has_mpi():
    config.available_features.add("mpi")
elif config.tenon_suite == "e2e":
    lit_config.note("there is no Open MPI here (openmpi-bin, libopenmpi-dev): its example is left out")


# Other languages, for the example with them. Of several programs of a name in PATH the first that
# works: a version manager's may have nothing behind it.
def find_working(name, *words):
    for folder in config.environment["PATH"].split(os.pathsep) + ["/usr/bin"]:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            asked = subprocess.run([path, *words], capture_output=True, env=config.environment)
            if asked.returncode == 0:
                return path
    return None


for feature, package, name, words in (
    ("numpy", "python3-numpy", "python3", ["-c", "import numpy"]),
    ("rustc", "rustc", "rustc", ["--version"]),
    ("gfortran", "gfortran", "gfortran", ["--version"]),
):
    found = find_working(name, *words) if config.tenon_suite == "e2e" else None
    if found:
        config.available_features.add(feature)
        config.substitutions.append(("%%with_%s" % feature, found))
    elif config.tenon_suite == "e2e":
        lit_config.note("there is no %s here: the example with it is left out" % package)


# For -fsycl-host-compiler=g++.
def has_gxx():
    gxx = lit.util.which("g++", config.environment["PATH"])
    if not gxx:
        return False
    version = subprocess.run([gxx, "-dumpversion"], capture_output=True, text=True).stdout
    major = version.strip().split(".")[0]
    return major.isdigit() and int(major) >= 12


if has_gxx():
    config.available_features.add("gxx-12")


# Programs with other rights than their caller's: root makes them, another user runs them.
def why_no_set_ids():
    if os.geteuid() != 0:
        return "only root can make them"
    folder = build  # as the tests name it: the other user has to reach it by this path
    probe = os.path.join(folder, f"set-id-probe-{os.getpid()}")
    try:
        shutil.copyfile("/bin/true", probe)
        os.chmod(probe, 0o755)
        for mode in (0o4755, 0o755):
            os.chmod(probe, mode)
            if mode == 0o755:  # CAP_NET_RAW in the file
                os.setxattr(probe, "security.capability",
                            struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0))
            # The dynamic linker prints nothing when it is one.
            ran = subprocess.run([probe], env={"LD_SHOW_AUXV": "1"}, user=65534, group=65534,
                                 extra_groups=[], capture_output=True, text=True, timeout=20)
            if "AT_SECURE" in ran.stdout:
                return f"{folder} is mounted with nosuid, or this process has no_new_privs"
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        return str(problem)
    finally:
        if os.path.exists(probe):
            os.unlink(probe)
    return None


if config.tenon_suite == "e2e":
    reason = why_no_set_ids()
    if reason:
        lit_config.note(f"tests of set-user-id programs are left out: {reason}")
    else:
        config.available_features.add("set-id")
