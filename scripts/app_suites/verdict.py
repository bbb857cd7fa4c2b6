# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the output of a compiler or a program means: a class of failure and its first line."""
import os
import re
import signal

# The classes, in the order of the table. The first two count as passed or run.
PASSED = "passed"
NO_CHECK = "no check"
NOT_RUN = "built, not run"
NOT_TRIED = "not tried"
MISSING = "missing library"
NEEDS = "not for the CPU"
DATA = "missing data"
COMPILE = "compile"
LINK = "link"
WRONG = "wrong result"
CRASH = "crash"
TIMEOUT = "timeout"
MEMORY = "memory"
EXIT = "exit status"
PROGRAM = "program is wrong"
ORDER = (PASSED, NO_CHECK, NOT_RUN, NOT_TRIED, MISSING, NEEDS, DATA, PROGRAM, COMPILE, LINK, WRONG,
         CRASH, EXIT, TIMEOUT, MEMORY)
RAN = (WRONG, CRASH, EXIT, TIMEOUT, MEMORY)  # built, but not passed
UNFINISHED = (TIMEOUT, MEMORY)
UNCHECKED = "; it has no check of its own"  # the end of the reason of one that is unfinished

LIBRARIES = (
    (r"oneapi/(mkl|math)|mkl", "oneMath/oneMKL"), (r"oneapi/dpl|dpstd", "oneDPL"),
    (r"oneapi/tbb|tbb/", "TBB"), (r"oneapi/ccl|ccl\.hpp", "oneCCL"), (r"dnnl", "oneDNN"),
    (r"dpct/", "DPCT headers"), (r"\bmpi\.h", "MPI"), (r"boost/", "Boost"), (r"\bomp\.h", "OpenMP"),
    (r"opencv", "OpenCV"), (r"gsl/", "GSL"), (r"gdal|ogr", "GDAL"), (r"cuda|cufft|cublas", "CUDA"),
    (r"ipp[a-z]*\.h|ippcp", "Intel IPP"), (r"ze_api\.h|level_zero", "Level Zero"),
    (r"CL/cl|opencl", "OpenCL"), (r"mkl", "oneMKL"), (r"torch|ATen", "PyTorch"),
    (r"zlib\.h", "zlib"), (r"bzlib\.h", "bzip2"), (r"png\.h", "libpng"), (r"hdf5", "HDF5"),
    (r"GL/|GLFW|SDL", "OpenGL/SDL"), (r"ittnotify", "ITT"), (r"va/va", "VA-API"),
    (r"dpc_common", "dpc_common.hpp"), (r"ac_(int|fixed)|ext/intel/(ac_types|fpga|prototype)",
                                        "Intel FPGA headers"))

ERROR = re.compile(r"^.*?(?:\b(?:fatal )?error:|undefined reference|undefined symbol|"
                   r"cannot find -l|No rule to make target|CMake Error).*$", re.MULTILINE)
LINKING = re.compile(r"undefined reference|undefined symbol|cannot find -l|unable to find library|"
                     r"linker command failed|multiple definition|duplicate symbol|lld: error")
MISSING_HEADER = re.compile(r"fatal error: '([^']+)' file not found")
FAILED = re.compile(r"\bFAIL(ED|URE|S)?\b|\bfail(ed|s)?\b|\bmismatch(es)?\b|\bincorrect\b|"
                    r"\bnot correct\b|\bdoes not match\b|\bwrong\b|\binvalid result",
                    re.IGNORECASE)
NO_FAILURE = re.compile(r"(?:\b0|\bno)\s+(?:fail|mismatch|error|incorrect)\w*|"
                        r"(?:fail\w*|mismatch\w*|incorrect(?: \w+)?|error\w*)\s*(?:count)?\s*[:=]\s*0\b|"
                        r"fail-?(?:safe|over)", re.IGNORECASE)
SUCCEEDED = re.compile(r"\bPASS(ED|ES)?\b|\bSUCCESS(FUL|FULLY)?\b|\bverified\b|\bcorrect\b|"
                       r"verification:? (?:ok|success|pass)|\bmatch(es)?\b|\bvalidates?\b|"
                       r"\bresults? (?:is|are) (?:ok|right|valid)|\b(?:no|0) errors?\b|"
                       r"\b(?:no|0) mismatch\w*|\(valid\)|error\w*\s*(?:count)?\s*[:=]\s*0\b|\bOK\b",
                       re.IGNORECASE)
COLOR = re.compile(r"\x1b\[[0-9;]*m")
OPENING = re.compile(r"(?:cannot|can't|could not|couldn't|unable to|fail\w* to|error) ?(?:in )?"
                     r"(?:open|read|load|find|access)\w*|No such file|not open|"
                     r"does not exist|not able to open|file not found|Bad file|Failed to import|File open fail|"
                     r"cannot be opened|Usage:|usage:", re.IGNORECASE)


NO_MEMORY = re.compile(r"bad_alloc|out of memory|(?:memory allocation|malloc) failed|of \d{10,} bytes is NULL|cannot allocate",
                       re.IGNORECASE)
NO_GPU = re.compile(r"no device fits the selector|can not find preferred GPU platform")


class Verdict:
    def __init__(self, kind, reason=""):
        self.kind = kind
        self.reason = shorten(reason)


def shorten(text):
    """One line without the paths of this machine."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text.strip())
    text = re.sub(r"(?<![\w.])/(?:[\w.+@%-]+/)+", "", text)
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= 160 else text[:157] + "..."


def library_of(header):
    for pattern, name in LIBRARIES:
        if re.search(pattern, header):
            return name
    return ""


def of_build(outcome, own_headers=()):
    """Why a build failed, from the first error line."""
    tool = re.search(r"'(gdb-oneapi)' not found|^\s+(mpiicpc)$", outcome.output, re.MULTILINE)
    if tool:
        return Verdict(MISSING, tool[1] or "MPI (its compiler driver)")
    if "setvars.sh: No such file" in outcome.output:
        return Verdict(MISSING, "an installation of oneAPI (setvars.sh)")
    copied = re.search(r"file COPY cannot find\s+\"([^\"]+)\"", outcome.output)
    if copied:
        return Verdict(DATA, f"{os.path.basename(copied[1])} is not in the collection")
    if re.search(r"unknown argument '-f(?:iopenmp|openmp-targets)", outcome.output):
        return Verdict(MISSING, "OpenMP offload")
    if outcome.timed_out:
        return Verdict(TIMEOUT, f"building takes more than {outcome.seconds:.0f} s")
    header = MISSING_HEADER.search(outcome.output)
    if header:
        library = library_of(header[1])
        if not library and not header[1].startswith("sycl/") and \
                os.path.basename(header[1]) not in own_headers:
            library = f"{header[1]} (not in the collection)"
        return Verdict(MISSING if library else COMPILE, library or header[0])
    missing = re.search(r"(?:cannot find|unable to find library) -l([\w+-]+)", outcome.output)
    if missing and missing[1] not in ("sycl", "tenon"):
        return Verdict(MISSING, f"-l{missing[1]}")
    if re.search(r"unknown argument: '-qmkl|unsupported option '-qmkl", outcome.output):
        return Verdict(MISSING, "oneMath/oneMKL (-qmkl)")
    module = re.search(r"No module named '(\w+)'", outcome.output)
    if module:
        return Verdict(MISSING, f"Python module {module[1]}")
    if "libomptarget" in outcome.output:
        return Verdict(MISSING, "OpenMP offload")
    if "unknown argument: '-cxx=" in outcome.output:
        return Verdict(MISSING, "MPI (its compiler driver)")
    cloned = re.findall(r"Failed to clone repository: '\S*/([\w-]+)\.git'", outcome.output)
    if cloned:
        return Verdict(MISSING, f"{cloned[0]}, which its build downloads")
    target = re.search(r"No rule to make target '(\S+)', needed by", outcome.output)
    if target and os.path.basename(target[1]) not in own_headers:
        return Verdict(MISSING, f"{os.path.basename(target[1])} (not in the collection)")
    folder = re.search(r"can't cd to (\S+)", outcome.output)
    if folder:
        return Verdict(MISSING, f"{folder[1]} (not in the collection)")
    package = re.search(r"(?:package configuration file provided by|Could NOT find) \"?(\w+)",
                        outcome.output)
    if package:
        return Verdict(MISSING, package[1])
    line = ERROR.search(outcome.output)
    text = line[0] if line else last_line(outcome.output)
    return Verdict(LINK if LINKING.search(text) else COMPILE, text)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def line_of(pattern, text):
    for line in text.splitlines():
        if pattern.search(NO_FAILURE.sub("", line)):
            return line
    return ""


def exception_line(text):
    match = re.search(r"what\(\): *(.*)|^.*(?:[Ee]xception|tenon:).*$", text, re.MULTILINE)
    return match[0] if match else ""


def is_too_large(outcome):
    """Whether smaller sizes may help."""
    return outcome.timed_out or (outcome.status != 0 and bool(NO_MEMORY.search(outcome.output)))


def of_run(outcome, seconds, check=None):
    """How a run ended: by its exit status, then by what the program says of its own result."""
    text = outcome.output
    if outcome.timed_out:
        return Verdict(TIMEOUT, f"runs more than {seconds} s")
    if outcome.status != 0 and NO_GPU.search(text):
        return Verdict(NEEDS, "it selects a GPU")
    if outcome.status != 0 and NO_MEMORY.search(text):
        return Verdict(MEMORY, line_of(NO_MEMORY, text))
    if outcome.status < 0:
        name = signal.Signals(-outcome.status).name
        return Verdict(CRASH, f"{name}: {exception_line(text) or last_line(text)}")
    judged = check(text) if check else None
    if judged and (judged.kind != PASSED or outcome.status == 0):
        return judged
    failed = line_of(FAILED, text)
    if failed and not OPENING.search(failed):
        return Verdict(WRONG, failed)
    if outcome.status != 0:
        crashed = re.search(r"(Segmentation fault|Aborted|Illegal instruction|core dumped|"
                            r"Floating point exception|Error 1(?:3[2-9]))", text)
        if crashed:
            return Verdict(CRASH, f"{crashed[0]}: {exception_line(text) or last_line(text)}")
        opened = line_of(OPENING, text)
        if opened:
            return Verdict(DATA, opened)
        return Verdict(EXIT, f"{outcome.status}: {exception_line(text) or last_line(text)}")
    if SUCCEEDED.search(text):
        return Verdict(PASSED)
    opened = line_of(OPENING, text)
    return Verdict(DATA, opened) if opened else Verdict(NO_CHECK, last_line(text))


def of_cases(passed, skipped):
    """A set of cases of which none failed."""
    if not passed:
        return Verdict(NO_CHECK, f"{skipped} cases are skipped, none runs")
    return Verdict(PASSED, f"{passed} cases" + (f", {skipped} skipped" if skipped else ""))


def of_googletest(text):
    """GoogleTest ends with the number of cases that passed and the names of those that failed."""
    failed = re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", text, re.MULTILINE)
    if failed:
        names = sorted(set(failed))
        return Verdict(WRONG, f"{len(names)} cases fail: {', '.join(names)}")
    passed = re.search(r"^\[  PASSED  \] (\d+) tests?", text, re.MULTILINE)
    if not passed:
        return Verdict(WRONG, f"it ends before GoogleTest's totals: {last_line(text)}")
    skipped = re.search(r"^\[  SKIPPED \] (\d+) tests?", text, re.MULTILINE)
    return of_cases(int(passed[1]), int(skipped[1]) if skipped else 0)


def of_catch2(text, ranks=1):
    """Catch2 ends with the numbers of cases that passed, were skipped, and failed, on each rank.
    Below mpirun it writes to a terminal, in colors."""
    text = COLOR.sub("", text)
    failed = re.search(r"^\S+:\d+: FAILED:", text, re.MULTILINE)
    all_passed = re.findall(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)$", text,
                            re.MULTILINE)
    totals = [dict((kind, int(number)) for number, kind in
                   re.findall(r"(\d+) ([a-z][a-z ]*[a-z])", line))
              for line in re.findall(r"^test cases: +\d+ \|(.*)$", text, re.MULTILINE)]
    totals += [{"passed": int(number)} for number in all_passed]
    fails = sum(one.get("failed", 0) for one in totals)
    if fails:
        return Verdict(WRONG, f"{fails} cases fail; {failed[0] if failed else 'no assertion'}")
    if len(totals) != ranks:
        return Verdict(WRONG, f"{len(totals)} of {ranks} ranks print Catch2's totals")
    least = min(totals, key=lambda one: one.get("passed", 0))
    return of_cases(least.get("passed", 0), least.get("skipped", 0))
