// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of Tenon's own build: lets libtenon-compiler.so make the precompiled headers that it will
// look for beside itself. tenon-precompile <library> <folder> <target>...
#include "tenon/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char source[] = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL void tenon_precompile() {}\n";

static int precompile(const tn_compiler *compiler, const char *folder, const char *target) {
  char option[4096];
  const char *options[] = {option};
  if (snprintf(option, sizeof(option), "--persistent-auto-pch=%s", folder) >= (int)sizeof(option)) {
    (void)fprintf(stderr, "tenon-precompile: the folder's name is too long\n");
    return 1;
  }
  const tn_source_params params = {
      .struct_size = sizeof(params),
      .language = TN_LANGUAGE_SYCL,
      .source = {"precompile.cpp", source, sizeof(source) - 1},
      .options = options,
      .option_count = 1,
      .target = target,
  };
  tn_source_result result = {.struct_size = sizeof(result)};
  tn_diag diag = {0};
  const tn_status status = compiler->compile_source(&params, &result, &diag);
  if (status != TN_OK) {
    (void)fprintf(stderr, "tenon-precompile: %s: %s\n%s", target, diag.text,
                  result.log ? result.log : "");
  }
  compiler->free_source_result(&result);
  return status == TN_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    (void)fprintf(stderr, "usage: tenon-precompile <library> <folder> <target>...\n");
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, TN_COMPILER_QUERY) : NULL;
  if (!symbol) {
    (void)fprintf(stderr, "tenon-precompile: %s\n", dlerror());
    return 1;
  }
  tn_compiler_query_fn query;
  memcpy(&query, &symbol, sizeof(query));
  const tn_compiler *compiler = query(TN_COMPILER_VERSION);
  int failures = 0;
  for (int i = 3; i < argc; i++) {
    failures += precompile(compiler, argv[2], argv[i]);
  }
  return failures == 0 ? 0 : 1;
}
