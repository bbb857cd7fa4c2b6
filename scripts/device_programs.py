# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of test/e2e and examples, built for another device than the CPU, for scripts/gpu-suite
and scripts/opencl-suite. docs/device-suites.md tells what a test can say of itself."""
import concurrent.futures
import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Areas of test/e2e that are about the CPU's code, the tools or the host's side.
OTHER_AREAS = {"aot", "cache", "checks", "debugging", "diagnostics", "errors", "hostcc", "toolchain"}
WHOLE_PROGRAM = re.compile(r"RUN: %tenonxx (.*?)%s -o %t(?!\S)(.*)")
DIRECTIVE = re.compile(r"^\s*(?://|#) GPU-SUITE: (\w+) ?(.*)$", re.MULTILINE)


def fail(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)


class Suite:
    """What a script builds: for which target, with which tenon++, and where it is kept."""

    def __init__(self, arguments, target, name):
        self.target = target
        self.build = os.path.abspath(arguments.build)
        self.tenonxx = arguments.tenon or os.path.join(self.build, "bin", "tenon++")
        self.work = os.path.abspath(arguments.work or os.path.join(self.build, name))
        self.only = arguments.only
        self.jobs = arguments.jobs
        self.reuse = arguments.reuse
        if not os.access(self.tenonxx, os.X_OK):
            fail(f"there is no {self.tenonxx}: build Tenon first, or give --build or --tenon")

    def compile(self, targets, options, source, output="program"):
        return (f"{shlex.quote(self.tenonxx)} -fsycl -fsycl-targets={targets} {options} "
                f"{shlex.quote(source)} -o {output}")

    def is_wanted(self, program):
        return not self.only or any(fnmatch.fnmatch(program.name, pattern)
                                    for pattern in self.only.split(","))


def add_options(parser, kept):
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="Tenon's build folder")
    parser.add_argument("--tenon", help="another tenon++ than the build folder's")
    parser.add_argument("--work", help=f"what is built is kept here (default: BUILD/{kept})")
    parser.add_argument("--reuse", action="store_true",
                        help="programs whose sources are older stay, although Tenon has changed")
    parser.add_argument("--only", help="names of programs, with * and ?, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())


class Program:
    """A folder of the archive: how it is made, and how it is run there."""

    def __init__(self, name, source):
        self.name = name
        self.source = source
        self.builds = []  # shell commands, run in the program's folder
        self.command = "./program"
        self.needs = ["gpu"]
        self.limit = 60
        self.expects = []
        self.kind = "test"
        self.why = ""  # not built, and why

    def row(self):
        return "|".join([self.kind, self.name, ",".join(self.needs), str(self.limit), self.command])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def options_of(words, folder):
    """What changes the program: warnings are the business of the tests on the CPU."""
    words = re.sub(r"%if sanitizer %\{.*?%\}", "", words)
    kept = [w for w in shlex.split(words) if not w.startswith(("-W", "-fsycl"))]
    kept = [w.replace("%root", ROOT).replace("%S", folder) for w in kept]
    if not any(w.startswith("-O") for w in kept):
        kept += ["-O2", "-Xarch_host", "-O0"]  # which takes half of the time
    return " ".join(shlex.quote(w) for w in kept)


def substitute(suite, program, text, targets):
    quoted = shlex.quote
    words = (("%tenonxx", f"{quoted(suite.tenonxx)} -fsycl-targets={targets}"),
             ("%tenoncc", f"{quoted(suite.build)}/bin/tenoncc -fsycl-targets={targets}"),
             ("-Wl,-rpath,%t", ""), ("%t", "."), ("%hostflags", ""), ("%root", quoted(ROOT)),
             ("%S", quoted(os.path.dirname(program.source))), ("%s", quoted(program.source)),
             ("%clangxx", find_clang("clang++")), ("%clang", find_clang("clang")),
             ("%include", quoted(os.path.join(ROOT, "include"))),
             ("%libdir", quoted(os.path.join(suite.build, "lib"))))
    for name, value in words:
        text = text.replace(name, value)
    return text


def compile_lines(text):
    """The RUN lines that compile something, and do nothing else."""
    text = re.sub(r"\\\n\s*(?://|#) RUN:", " ", text)
    lines = re.findall(r"^\s*(?://|#) RUN: (%(?:tenon(?:xx|cc)|clang)\b.*)$", text, re.MULTILINE)
    return [line for line in lines if not re.search(r"[|&>]", line)]


def find_clang(name):
    return shutil.which(name + "-22") or name


def apply_directives(suite, program, text, targets):
    """Lines `// GPU-SUITE: word rest` of a test; docs/gpu-suite.md lists the words."""
    for word, rest in DIRECTIVE.findall(text):
        rest = rest.strip()
        if word == "skip":
            program.why = rest
        elif word == "args":
            program.command += " " + rest
        elif word == "needs":
            program.needs += rest.split()
        elif word == "limit":
            program.limit = int(rest)
        elif word == "expect":
            program.expects.append(rest)
        elif word == "build":
            lines = [rest] if rest != "RUN" else compile_lines(text)
            program.builds += [substitute(suite, program, line, targets) for line in lines]
        elif word == "run":
            # Several of them are run one after the other.
            first = program.command == "./program"
            program.command = rest if first else f"{program.command} && {rest}"
        elif word != "targets":
            fail(f"{program.source}: nobody knows 'GPU-SUITE: {word}'")


def targets_of(suite, text):
    return next((rest.strip() for word, rest in DIRECTIVE.findall(text) if word == "targets"),
                suite.target)


def test_program(suite, area, path):
    """None where the file is not a whole program and does not say how it is made."""
    text = read(path)
    program = Program(f"{area}.{os.path.splitext(os.path.basename(path))[0]}", path)
    targets = targets_of(suite, text)
    if area == "rtc":
        program.needs.append("rtc")
    apply_directives(suite, program, text, targets)
    if not program.builds and not program.why:
        whole = next((m for m in map(WHOLE_PROGRAM.search, text.splitlines()) if m), None)
        if not whole or path.endswith((".test", ".c")):
            return None
        extra = whole.group(2).split("&&")[0]
        options = options_of(whole.group(1) + extra, os.path.dirname(path))
        program.builds = [suite.compile(targets, options, path)]
    return program


def find_tests(suite):
    top = os.path.join(ROOT, "test", "e2e")
    for area in sorted(os.listdir(top)):
        if area in OTHER_AREAS or not os.path.isdir(os.path.join(top, area)):
            continue
        for name in sorted(os.listdir(os.path.join(top, area))):
            if name.endswith((".cpp", ".c", ".test")):
                program = test_program(suite, area, os.path.join(top, area, name))
                if program:
                    yield program


def use_mpi(suite, program, targets):
    if not shutil.which("mpicxx"):
        program.why = "it needs an MPI to be built with"
        return
    flags = [run(["mpicxx", "--showme:" + kind]).stdout.strip() for kind in ("compile", "link")]
    program.builds = [suite.compile(targets, "-O2 " + flags[0], program.source) + " " + flags[1]]
    program.needs.append("mpirun")
    program.command = "mpirun --allow-run-as-root --oversubscribe -n 2 ./program"


def find_examples(suite):
    top = os.path.join(ROOT, "examples")
    for area in sorted(os.listdir(top)):
        folder = os.path.join(top, area)
        sources = sorted(n for n in os.listdir(folder) if n.endswith(".cpp")) if os.path.isdir(
            folder) else []
        # Examples of several files have a test that says how they are made.
        if len(sources) != 1 or any(n.endswith(".c") for n in os.listdir(folder)):
            continue
        path = os.path.join(folder, sources[0])
        text = read(path)
        program = Program(f"examples.{area}", path)
        targets = targets_of(suite, text)
        apply_directives(suite, program, text, targets)
        if "mpi.h>" in text and not program.builds:
            use_mpi(suite, program, targets)
        if not program.builds and not program.why:
            program.builds = [suite.compile(targets, "-O2", path)]
        yield program


def split_file(path, folder):
    """The parts of a .test file that `#--- name` begins, as lit's split-file makes them."""
    parts = re.split(r"^(?:#|//)--- (\S+)\n", read(path), flags=re.MULTILINE)
    for name, text in zip(parts[1::2], parts[2::2]):
        place = os.path.join(folder, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)


def newest(paths):
    times = [0.0]
    for path in paths:
        if os.path.isfile(path):
            times.append(os.path.getmtime(path))
        for where, _, names in os.walk(path):
            times += [os.path.getmtime(os.path.join(where, n)) for n in names]
    return max(times)


def make(suite, program, changed):
    """Builds one program in a folder that is kept for the next time; a text when that fails."""
    folder = os.path.join(suite.work, "made", program.name)
    stamp = os.path.join(folder, ".made")
    recipe = "\n".join(program.builds)
    if (os.path.exists(stamp) and read(stamp) == recipe and os.path.getmtime(stamp) > changed and
            os.path.getmtime(stamp) > newest([program.source if suite.reuse else
                                                   os.path.dirname(program.source)])):
        return None
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if program.source.endswith(".test"):
        split_file(program.source, folder)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("TENON_", "SYCL_"))}
    for command in program.builds:
        result = run(["nice", "bash", "-c", command], cwd=folder, env=environment)
        if result.returncode != 0:
            return f"{command}\n{result.stdout}"
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(recipe)
    return None


def make_all(suite, programs, show=True):
    changed = 0.0 if suite.reuse else newest([
        suite.tenonxx, os.path.join(suite.build, "lib", "libtenon-compiler.so"),
        os.path.join(ROOT, "include")])
    failures = {}
    with concurrent.futures.ThreadPoolExecutor(suite.jobs) as pool:
        waiting = {pool.submit(make, suite, p, changed): p for p in programs if not p.why}
        for done in concurrent.futures.as_completed(waiting):
            program = waiting[done]
            if done.result():
                failures[program.name] = done.result()
                program.why = "it was not built: " + first_error(done.result())
                program.kind += ":failed"
    for name in sorted(failures) if show else ():
        print(f"{name} was not built:\n{failures[name][:3000]}", file=sys.stderr)
    return failures


def first_error(text):
    line = next((one for one in text.splitlines() if "error" in one), text.splitlines()[-1])
    return line.replace("|", "/").strip()[:200]
