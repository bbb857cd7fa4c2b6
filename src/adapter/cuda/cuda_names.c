// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels that outlive their programs: a fault is heard of when somebody waits, and the
// program may be gone by then. Each name is there once.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "base/str.h"

#include <string.h>

struct tn_cuda_name {
  tn_cuda_name *next;
  char text[];
};

static const char *find(tn_adapter_device *device, const char *name) TN_REQUIRES(&device->mu) {
  const tn_cuda_name *each = device->names;
  while (each && strcmp(each->text, name) != 0) {
    each = each->next;
  }
  return each ? each->text : NULL;
}

const char *tn_cuda_name_keep(tn_adapter_device *device, const char *name) {
  const size_t size = strlen(name) + 1;
  tn_cuda_name *made = tn_alloc(sizeof(*made) + size);
  if (made) {
    memcpy(made->text, name, size);
  }
  tn_mutex_lock(&device->mu);
  const char *kept = find(device, name);
  if (!kept && made) {
    made->next = device->names;
    device->names = made;
    kept = made->text;
    made = NULL;
  }
  tn_mutex_unlock(&device->mu);
  tn_free(made);
  return kept ? kept : "(no memory for its name)";
}

void tn_cuda_names_end(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  tn_cuda_name *name = device->names;
  device->names = NULL;
  tn_mutex_unlock(&device->mu);
  while (name) {
    tn_cuda_name *next = name->next;
    tn_free(name);
    name = next;
  }
}
