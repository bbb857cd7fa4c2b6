// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines of clang: the growing list, and what the device and the host pass are told.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "compile/frontend/frontend.h"
#include "compile/frontend/host_compiler.h"
#include "compile/frontend/pass_target.h"

void tn_args_init(tn_args *args, tn_arena *arena) { *args = (tn_args){.arena = arena}; }

void tn_args_add(tn_args *args, const char *text) {
  if (!text || args->failed || !tn_list_add(&args->list, args->arena, text)) {
    args->failed = true;
  }
}

void tn_args_add_all(tn_args *args, const tn_args *more) {
  for (size_t i = 0; i < more->list.count; i++) {
    tn_args_add(args, tn_args_at(more, i));
  }
  args->failed = args->failed || more->failed;
}

void tn_args_add_format(tn_args *args, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int needed = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = needed < 0 ? NULL : tn_arena_alloc(args->arena, (size_t)needed + 1);
  if (text) {
    va_start(list, format);
    (void)vsnprintf(text, (size_t)needed + 1, format, list);
    va_end(list);
  }
  tn_args_add(args, text);
}

const char *const *tn_args_argv(tn_args *args) {
  if (args->failed || !tn_list_add(&args->list, args->arena, NULL)) {
    args->failed = true;
    return NULL;
  }
  args->list.count--;
  return (const char *const *)args->list.items;
}

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool user_has(const tn_args *user, const char *prefix) {
  for (size_t i = 0; i < user->list.count; i++) {
    if (has_prefix(tn_args_at(user, i), prefix)) {
      return true;
    }
  }
  return false;
}

// The last -O and -g of the user, as clang reads them; NULL when there is none.
static const char *user_last(const tn_args *user, const char *prefix) {
  const char *last = NULL;
  for (size_t i = 0; i < user->list.count; i++) {
    const char *text = tn_args_at(user, i);
    if (has_prefix(text, "-X") && i + 1 < user->list.count) {
      i++;
    } else if (has_prefix(text, prefix)) {
      last = text;
    }
  }
  return last;
}

static void add_color(const tn_pass_params *params, tn_args *out) {
  if (params->color && !user_has(params->user, "-fcolor-diagnostics") &&
      !user_has(params->user, "-fno-color-diagnostics") &&
      !user_has(params->user, "-fdiagnostics-color") &&
      !user_has(params->user, "-fno-diagnostics-color")) {
    tn_args_add(out, "-fcolor-diagnostics");
  }
}

// SYCL is C++ alone to clang: its modes are not for C.
static bool is_language_c(const tn_pass_params *params) {
  return params->language && strcmp(params->language, "c") == 0;
}

static void add_user(const tn_args *user, tn_args *out) {
  for (size_t i = 0; i < user->list.count; i++) {
    if (!tn_pass_is_math(tn_args_at(user, i))) {
      tn_args_add(out, tn_args_at(user, i));
    }
  }
  out->failed = out->failed || user->failed;
}

// Says as DPC++ does that kernels need no names, which the user may take back. Where another
// compiler runs the host pass (`is_silent`), they need some.
static void add_unnamed(const tn_pass_params *params, tn_args *out) {
  if (!params->is_plain && !is_language_c(params) && !params->is_silent) {
    tn_args_add(out, "-D__SYCL_UNNAMED_LAMBDA__=1");
  }
}

static void add_common(const tn_pass_params *params, const char *mode, bool is_foreign,
                       tn_args *out) {
  tn_args_add(out, params->clang);
  add_unnamed(params, out);
  tn_pass_add_contraction(params->target, out);
  if (is_foreign) {
    tn_pass_add_user(params->user, out);
  } else {
    add_user(params->user, out);
  }
  add_color(params, out);
  if (params->is_plain) {
    return;
  }
  if (mode) {
    tn_args_add(out, "-Xclang");
    tn_args_add(out, mode);
  }
  tn_args_add_format(out, "-D__TENON_UNIT_ID__=0x%016" PRIx64 "ULL", params->unit_id);
  if (params->include_dir) {
    tn_args_add(out, "-isystem");
    tn_args_add(out, params->include_dir);
  }
}

void tn_pass_add_source(const tn_pass_params *params, tn_args *out) {
  if (params->action) {
    tn_args_add(out, params->action);
  }
  if (params->output) {
    tn_args_add(out, "-o");
    tn_args_add(out, params->output);
  }
  if (params->language) {
    tn_args_add(out, "-x");
    tn_args_add(out, params->language);
  }
  // Clang hands "-odd.cpp" on to its own stages as if it were an option, "--" or not.
  if (params->source[0] == '-' && params->source[1] != '\0') {
    tn_args_add_format(out, "./%s", params->source);
  } else {
    tn_args_add(out, params->source);
  }
}

// What is said of debug information after the user's options; NULL = nothing.
static const char *debug_option(const tn_pass_params *params, bool is_unoptimized) {
  const char *user = user_last(params->user, "-g");
  const bool has_none = !user || strcmp(user, "-g0") == 0;
  // ptxas takes more than lines for a wish not to optimize.
  if (params->target && params->target->kind == TN_TARGET_NVPTX && (has_none || !is_unoptimized)) {
    return "-gline-directives-only";
  }
  return has_none ? "-gline-tables-only" : NULL;
}

// The passes read the same text and compile other parts of it: what only the host uses is no
// mistake, so that the host pass alone warns of it. The driver leaves out what both warn of.
static void add_use_warnings(tn_args *out) {
  static const char *const uses[] = {
      "-Wno-unused-variable",      "-Wno-unused-but-set-variable", "-Wno-unused-const-variable",
      "-Wno-unused-parameter",     "-Wno-unused-but-set-parameter", "-Wno-unused-function",
      "-Wno-unused-member-function", "-Wno-unused-template",       "-Wno-unused-local-typedef",
      "-Wno-unused-private-field", "-Wno-unused-lambda-capture",   "-Wno-unused-label",
      "-Wno-unused-macros",        "-Wno-unneeded-internal-declaration",
      "-Wno-undefined-internal",   "-Wno-undefined-inline"};
  for (size_t i = 0; i < TN_COUNT(uses); i++) {
    tn_args_add(out, uses[i]);
  }
}

void tn_frontend_device_args(const tn_pass_params *params, tn_args *out) {
  const bool is_foreign = tn_pass_is_foreign(params->target);
  // In C this gives the devices' types and rules, for all code.
  const bool is_c = is_language_c(params);
  add_common(params, is_c ? "-fcuda-is-device" : "-fsycl-is-device", is_foreign, out);
  if (params->plugin && !is_c) {
    tn_args_add_format(out, "-fplugin=%s", params->plugin);
  }
  if (params->wants_closures) {
    static const char *const words[] = {"-Xclang", "-plugin-arg-tenon-kernel-attributes", "-Xclang",
                                        "closures"};
    for (size_t i = 0; i < TN_COUNT(words); i++) {
      tn_args_add(out, words[i]);
    }
  }
  if (is_c) {
    tn_args_add(out, "-D__TENON_DEVICE_ONLY__=1");
  } else if (params->include_dir && params->action) {
    // Standard headers that device code needs in another form than the host's.
    tn_args_add(out, "-isystem");
    tn_args_add_format(out, "%s/sycl/detail/device_std", params->include_dir);
  }
  if (is_foreign) {
    tn_pass_add_target(params->target, out);
    tn_pass_add_math(params->target, params->user, out);
  } else if (!is_c && params->action) {  // run-time compilation has none, and a way of its own
    tn_pass_add_host(params->user, out);
  }
  if (params->is_silent) {
    tn_args_add(out, "-w");
  } else if (!params->warns) {
    add_use_warnings(out);
  }
  tn_args_add(out, "-Qunused-arguments");
  const char *opt = user_last(params->user, "-O");
  if (!opt) {
    tn_args_add(out, "-O2");
  } else if (strcmp(opt, "-O0") == 0) {
    // Lowering still has to turn kernels into loops, which optnone forbids.
    tn_args_add(out, "-Xclang");
    tn_args_add(out, "-disable-O0-optnone");
  }
  tn_args_add(out, "-Xclang");
  tn_args_add(out, "-disable-llvm-passes");
  // Work-items exchange values that only one of them has set. Where these are noundef arguments,
  // LLVM infers that the others do not exist.
  tn_args_add(out, "-Xclang");
  tn_args_add(out, "-no-enable-noundef-analysis");
  // Devices have no errno; without it clang makes mathematics LLVM's own.
  tn_args_add(out, "-fno-math-errno");
  tn_args_add(out, "-fno-discard-value-names");
  // Functions alone are exports: no complete constructor may be an alias of the one for bases.
  tn_args_add(out, "-Xclang");
  tn_args_add(out, "-mno-constructor-aliases");
  // Device code destroys no variables of static storage, and where these have an address space of
  // their own Clang would write calls of __cxa_atexit whose arguments have other types than it
  // takes.
  tn_args_add(out, "-fno-c++-static-destructors");
  const char *debug = debug_option(params, opt && strcmp(opt, "-O0") == 0);
  if (debug) {
    tn_args_add(out, debug);
  }
  if (!params->action || (!params->is_header && strcmp(params->action, "-E") != 0 &&
                          strcmp(params->action, "-fsyntax-only") != 0)) {
    tn_args_add(out, "-emit-llvm");
  }
  tn_pass_add_source(params, out);
}

void tn_frontend_host_args(const tn_pass_params *params, tn_args *out) {
  if (params->host && !params->is_plain) {
    tn_host_compiler_args(params, out);
    return;
  }
  add_common(params, is_language_c(params) ? NULL : "-fsycl-is-host", false, out);
  // Kernels that are generic lambdas are not instantiated here: what they alone call is no mistake.
  if (!params->is_plain && !is_language_c(params) && user_has(params->user, "-W") &&
      !user_has(params->user, "-Wunneeded-internal-declaration") &&
      !user_has(params->user, "-Werror=unneeded-internal-declaration")) {
    tn_args_add(out, "-Wno-unneeded-internal-declaration");
  }
  tn_pass_add_source(params, out);
}

uint32_t tn_frontend_opt_level(const char *value) {
  switch (value[0]) {
    case '\0':
    case 'g':
      return 1;
    case '0':
    case '1':
    case '2':
      return (uint32_t)(value[0] - '0');
    case 's':
    case 'z':
      return 2;
    default:
      return 3;
  }
}
