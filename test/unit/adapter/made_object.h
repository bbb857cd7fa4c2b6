// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with machine code for tests of the CPU adapter's loader: clang makes them of C or
// assembler while the test runs.
#ifndef TN_TEST_UNIT_ADAPTER_MADE_OBJECT_H
#define TN_TEST_UNIT_ADAPTER_MADE_OBJECT_H

#include "adapter/cpu/cpu_object.h"
#include "base/file.h"
#include "base/process.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { MADE_OBJECT_MAXIMUM = 16 << 20 };

// `flags` has spaces between. Freed with tn_free.
static inline tn_bytes made_object(const char *language, const char *text, const char *flags) {
  char *folder = NULL;
  MUST(tn_temp_dir_create("tenon-object", &folder, diag));
  char source[512];
  char object[512];
  char command[2048];
  snprintf(source, sizeof(source), "%s/a.txt", folder);
  snprintf(object, sizeof(object), "%s/a.o", folder);
  snprintf(command, sizeof(command), "%s -x %s -c %s -o %s %s", TN_CLANG_PATH, language, source,
           object, flags);
  MUST(tn_file_write(source, tn_bytes_from(text, strlen(text)), diag));
  const char *argv[32] = {NULL};
  char *rest = NULL;
  size_t count = 0;
  for (char *word = strtok_r(command, " ", &rest); word != NULL && count < TN_COUNT(argv) - 1;
       word = strtok_r(NULL, " ", &rest)) {
    argv[count++] = word;
  }
  tn_process process;
  int exit_status = 1;
  MUST(tn_process_start(argv, TN_PROCESS_NULL_INPUT, &process, diag));
  MUST(tn_process_wait(&process, NULL, NULL, &exit_status, diag));
  assert_int_equal(exit_status, 0);
  char *data = NULL;
  size_t size = 0;
  MUST(tn_file_read(object, MADE_OBJECT_MAXIMUM, &data, &size, diag));
  tn_temp_dir_remove(folder);
  return tn_bytes_from(data, size);
}

static inline void made_object_free(tn_bytes object) { tn_free((void *)(uintptr_t)object.data); }

static inline tn_adapter_kernel *made_kernel(const tn_cpu_code *code, const char *name) {
  tn_adapter_kernel *kernel = tn_cpu_code_find(code, tn_str_from(name));
  if (kernel == NULL) {
    fail_msg("there is no kernel %s", name);
  }
  return kernel;
}

static inline void made_call(const tn_cpu_code *code, const char *name, void *args) {
  const tn_cpu_group group = {.local_size = {1, 1, 1}};
  made_kernel(code, name)->function(args, &group);
}

#endif
