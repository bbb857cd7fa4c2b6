// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the adapter conformance suite share.
#ifndef TN_TEST_CONFORMANCE_CONFORMANCE_H
#define TN_TEST_CONFORMANCE_CONFORMANCE_H

#include "base/str.h"
#include "run/device/device.h"
#include "tenon/kernel.h"
#include "tenon/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct subject {
  const tn_adapter_api *api;  // complete
  const tn_adapter_api *has;  // as the adapter gave it: NULL is a slot that it left out
  tn_adapter_device *device;
  tn_bytes code;
  const char *kernel;  // NULL: no code was given
} subject;

extern int conformance_failures;
extern tn_diag conformance_diag;
#define DIAG (&conformance_diag)

static inline void conformance_fail(const char *file, int line, const char *what) {
  printf("%s:%d: %s; %s\n", file, line, what, conformance_diag.text);
  conformance_failures++;
}

#define CHECK(condition)                                \
  do {                                                  \
    if (!(condition)) {                                 \
      conformance_fail(__FILE__, __LINE__, #condition); \
    }                                                   \
  } while (0)
#define OK(call) CHECK((call) == TN_OK)
#define FAILS(call, code) CHECK((call) == TN_##code && conformance_diag.text[0] != '\0')

// Copies and fills, by try_run and submit.
void conformance_commands(const subject *s);
// Streams and marks, where the adapter has them.
void conformance_streams(const subject *s);
// The kernel, where there is one: it adds `add` to p[i].
void conformance_kernels(const subject *s);
// Graphs, where the adapter has them.
void conformance_graphs(const subject *s);

// What the kernel takes, and its launch with a range of `count` work-items.
typedef struct block {
  int32_t *p;
  int32_t add;
} block;
tn_adapter_command conformance_launch(tn_adapter_kernel *kernel, const block *args, size_t count);

// Of a command that was given: waits until `done` was called, once.
typedef struct ending {
  _Atomic int calls;
  tn_status status;
  uint64_t start_ns;
  uint64_t end_ns;
} ending;
void conformance_done(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns);
void conformance_await(const subject *s, ending *e);
// Gives the command and waits.
void conformance_run(const subject *s, const tn_adapter_command *command);

#endif
