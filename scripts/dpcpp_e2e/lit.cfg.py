# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit reads DPC++'s end-to-end tests for Tenon; scripts/dpcpp-e2e writes the lit.site.cfg.py that
# loads this. Both ways of writing a RUN line are known: %{build} and %{run} of intel/llvm, and the
# placeholders of intel/llvm-test-suite, where the tests were until 2023.
import os
import shlex

import lit.formats

settings = config.tenon_settings
config.name = "dpcpp-e2e"
config.suffixes = [".cpp"]
config.excludes = ["Inputs"]
config.test_source_root = settings["tests"]
config.test_exec_root = settings["work"]
config.test_format = lit.formats.ShTest(execute_external=True)
config.recursiveExpansionLimit = 10
config.available_features.update(settings["features"])
# What a lit.local.cfg of the suite may add to or look at.
config.required_features = []
config.unsupported_features = []
config.external_tests = ""
config.sycl_devices = [settings["selector"]]

for name in list(config.environment):
    if name.startswith(("TENON_", "SYCL_", "ONEAPI_")):
        del config.environment[name]
config.environment.update(settings["environment"])
config.environment["PATH"] = os.pathsep.join([*settings["path"], os.environ.get("PATH", "/usr/bin:/bin")])

start = " ".join(shlex.quote(word) for word in settings["start"])
limit = f"timeout -k 5 {settings['timeout']}"  # of each program; lit's own needs psutil
# env comes last: tests write variables between the placeholder and the program.
run = f"{limit} {start} env ONEAPI_DEVICE_SELECTOR='{settings['selector']}'"
kind = settings["device_type"]
triple = settings["triple"]
compiler = shlex.quote(settings["compiler"])
include = shlex.quote(settings["include"])

substitutions = [
    ("%{build}", "%clangxx -fsycl %{sycl_target_opts} %s"),
    ("%{run}", run),
    ("%{run-aux}", ""),
    ("%{run-unfiltered-devices}", f"{limit} {start}"),
    ("%{sycl_target_opts}", f"-fsycl-targets={triple}"),
    ("%{sycl_triple}", triple),
    ("%{sycl_options}", f"-I{include}"),
    ("%{sycl_include}", f"-isystem {include}"),
    ("%{mathflags}", "-ffp-model=precise"),
    ("%{dpcpp_compiler}", compiler),
    ("%{pthread-lib}", "-lpthread"),
    ("%{l0_leak_check}", ""),
    ("%{amd_arch}", ""),
    ("%{opencl_options}", "-lOpenCL"),
    ("%clangxx", compiler),
    ("%clang", compiler),
    ("%sycl_triple", triple),
    ("%sycl_be", settings["selector"].split(":")[0]),
    ("%sycl_options", f"-I{include}"),
    ("%sycl_include", f"-isystem {include}"),
    ("%opencl_lib", "-lOpenCL"),
    ("%opencl_include_dir", include),
    ("%threads_lib", "-lpthread"),
    ("%include_option", "-include"),
    ("%debug_option", "-g"),
    ("%cxx_std_option", "-std="),
    ("%obj_ext", ".o"),
    ("%fPIC", "-fPIC"),
    ("%shared_lib", "-shared"),
    ("%verbose_print", ""),
    ("%BE_RUN_PLACEHOLDER", run),
]
for name in ("cpu", "gpu", "acc"):
    on = name == kind
    for place in ("", "_ON_LINUX", "_L0"):
        substitutions.append((f"%{name.upper()}_RUN{place}_PLACEHOLDER", run if on else "true"))
        substitutions.append((f"%{name.upper()}{place}_CHECK_PLACEHOLDER", "| FileCheck %s" if on else ""))
        substitutions.append((f"%{name.upper()}_CHECK{place}_PLACEHOLDER", "| FileCheck %s" if on else ""))
# lit no longer has %T, the folder of %t.
config.substitutions.append(("%T", "$(dirname %t)"))
config.substitutions.extend((key.replace("{", r"\{").replace("}", r"\}") + r"(?![A-Za-z_])"
                             if not key.endswith(("}", "=")) and key != "%cxx_std_option"
                             else key.replace("{", r"\{").replace("}", r"\}"), value)
                            for key, value in substitutions)
