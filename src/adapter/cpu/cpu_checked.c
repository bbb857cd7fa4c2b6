// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are built with checks (TENON_CHECK=1): a check that fails ends the work-group's call
// and becomes the command's failure.
//
// Device code has nothing to clean up, so its frames are left by longjmp.
#include "adapter/cpu/cpu.h"

#include <setjmp.h>
#include <string.h>

enum { NAME_SHOWN = 200, FILE_SHOWN = 200 };

typedef struct checked_call {
  tn_cpu_group group;  // first: what device code gets is also this
  const tn_adapter_launch *launch;
  tn_status status;
  tn_diag diag;
  jmp_buf stop;
} checked_call;

static checked_call *call_of(const tn_cpu_group *group) {
  return (checked_call *)(uintptr_t)group;
}

// A work-item's global id in SYCL's order: "{1,0}".
static void write_id(char *out, size_t size, const checked_call *call, const uint64_t local[3]) {
  const uint32_t dims = call->launch->dims >= 1 && call->launch->dims <= 3 ? call->launch->dims : 3;
  tn_buf text;
  tn_buf_init(&text, size);
  for (uint32_t d = dims; d > 0; d--) {
    tn_buf_add_format(&text, "%s%llu", d == dims ? "{" : ",",
                      (unsigned long long)(call->group.base[d - 1] + local[d - 1]));
  }
  tn_buf_add_text(&text, "}");
  const tn_str made = tn_buf_status(&text, NULL) == TN_OK ? tn_buf_str(&text) : TN_STR_LIT("{?}");
  memcpy(out, made.data, made.size);
  out[made.size] = '\0';
  tn_buf_deinit(&text);
}

typedef struct shown_place {
  tn_str file;
  char line[16];  // ":12", or nothing
} shown_place;

// The end of a long path says most.
static shown_place show_place(const tn_cpu_place *place) {
  shown_place shown = {.file = tn_str_from(place->file)};
  if (shown.file.size > FILE_SHOWN) {
    shown.file = tn_str_slice(shown.file, shown.file.size - FILE_SHOWN, FILE_SHOWN);
  }
  if (shown.file.size == 0) {
    shown.file = TN_STR_LIT("an unknown place");
  } else if (place->line != 0) {
    size_t at = sizeof(shown.line) - 1;
    for (uint32_t line = place->line; line != 0; line /= 10) {
      shown.line[--at] = (char)('0' + line % 10);
    }
    shown.line[--at] = ':';
    memmove(shown.line, shown.line + at, sizeof(shown.line) - at);
  }
  return shown;
}

static tn_str show_kernel(const tn_cpu_place *place) {
  return tn_str_slice(tn_str_from(place->kernel), 0, NAME_SHOWN);
}

_Noreturn static void stop(checked_call *call, tn_status status) {
  call->status = status;
  longjmp(call->stop, 1);
}

static void index_failed(const tn_cpu_group *group, uint64_t x, uint64_t y, uint64_t z,
                         uint64_t index, uint64_t bound, int32_t dimension,
                         const tn_cpu_place *place) {
  checked_call *call = call_of(group);
  const shown_place shown = show_place(place);
  const tn_str kernel = show_kernel(place);
  const bool is_local = dimension >= TN_CPU_CHECK_LOCAL;
  char item[80];
  write_id(item, sizeof(item), call, (const uint64_t[3]){x, y, z});
  stop(call,
       TN_FAIL(&call->diag, ACCESSOR,
               "kernel %.*s at %.*s%s: work-item %s: index %llu is outside of a%s accessor of %llu "
               "elements in dimension %d",
               TN_STR_ARG(kernel), TN_STR_ARG(shown.file), shown.line, item,
               (unsigned long long)index, is_local ? " local" : "n", (unsigned long long)bound,
               (int)(is_local ? dimension - TN_CPU_CHECK_LOCAL : dimension)));
}

// The first work-item that is somewhere else than the first one at a barrier; `count` if none is.
static uint64_t find_absent(const uint32_t *reached, uint64_t count, uint32_t end,
                            uint64_t *out_present) {
  uint64_t present = 0;
  while (present < count && reached[present] == end) {
    present++;
  }
  *out_present = present;
  uint64_t absent = present < count ? 0 : count;
  while (absent < count && reached[absent] == reached[present]) {
    absent++;
  }
  return absent;
}

static void barrier(const tn_cpu_group *group, const uint32_t *reached, const tn_cpu_place *places,
                    uint32_t end) {
  checked_call *call = call_of(group);
  const uint64_t *size = group->local_size;
  uint64_t present = 0;
  const uint64_t absent = find_absent(reached, size[0] * size[1] * size[2], end, &present);
  if (absent == size[0] * size[1] * size[2]) {
    return;
  }
  const tn_cpu_place *place = &places[reached[present]];
  const shown_place shown = show_place(place);
  const tn_str kernel = show_kernel(place);
  char item[80];
  const uint64_t local[3] = {absent % size[0], absent / size[0] % size[1],
                             absent / size[0] / size[1]};
  write_id(item, sizeof(item), call, local);
  if (reached[absent] == end) {
    stop(call, TN_FAIL(&call->diag, DEVICE_FAILED,
                       "kernel %.*s at %.*s%s: work-item %s does not come to this barrier, where "
                       "others of its work-group wait: it has ended",
                       TN_STR_ARG(kernel), TN_STR_ARG(shown.file), shown.line, item));
  }
  const shown_place other = show_place(&places[reached[absent]]);
  stop(call, TN_FAIL(&call->diag, DEVICE_FAILED,
                     "kernel %.*s at %.*s%s: work-item %s does not come to this barrier, where "
                     "others of its work-group wait: it waits at another one, at %.*s%s",
                     TN_STR_ARG(kernel), TN_STR_ARG(shown.file), shown.line, item,
                     TN_STR_ARG(other.file), other.line));
}

static const tn_cpu_check functions = {.index_failed = index_failed, .barrier = barrier};

// No local is written between setjmp and longjmp.
static bool run(checked_call *call) {
  if (setjmp(call->stop) != 0) {
    return false;
  }
  call->launch->kernel->function(call->launch->args, &call->group);
  return true;
}

bool tn_cpu_has_failed(const tn_cpu_failure *failure) {
  return atomic_load_explicit(&failure->is_claimed, memory_order_relaxed);
}

void tn_cpu_call_checked(const tn_adapter_launch *launch, const tn_cpu_group *group,
                         tn_cpu_failure *failure) {
  checked_call call = {.group = *group, .launch = launch};
  call.group.check = &functions;
  if (!run(&call) &&
      !atomic_exchange_explicit(&failure->is_claimed, true, memory_order_relaxed)) {
    failure->status = call.status;
    failure->diag = call.diag;
  }
}
