// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One adapter's devices, in the forms that tenon-info prints.
#ifndef TN_TOOLS_DEVICE_REPORT_H
#define TN_TOOLS_DEVICE_REPORT_H

#include "base/buf.h"

typedef enum tn_device_form {
  TN_DEVICES_SHORT,    // a line a device
  TN_DEVICES_VERBOSE,  // all that is known of platforms and devices
  TN_DEVICES_JSON,     // an object for the adapter
} tn_device_form;

// Loads the adapter, whose drivers may do anything with the process. `name` is in tn_adapter_name.
// The process's devices are those of this adapter, by its selector.
void tn_devices_print(tn_buf *out, const char *name, tn_device_form form);
// The same for an adapter that could not be looked at.
void tn_devices_print_failure(tn_buf *out, const char *name, const char *reason,
                              tn_device_form form);

#endif
