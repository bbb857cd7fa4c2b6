// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: what a platform is, and the list of them.
#ifndef TN_RUN_DEVICE_DEVICE_LIST_H
#define TN_RUN_DEVICE_DEVICE_LIST_H

#include "run/device/device.h"

// Immutable once listed, but for the default context.
struct tn_platform {
  tn_adapter_api api;         // complete (tn_adapter_table_complete)
  tn_adapter *adapter;        // owned, for ever; by the first platform of an adapter's
  const void *key;            // of its devices, for the adapter
  tn_platform *next;          // owned: another one of the adapter's
  tn_device *unlisted;        // owned: those of the adapter's that only parts of are listed
  tn_device **devices;        // owned array: those that are left by the selector
  size_t device_count;
  tn_context *_Atomic default_context;  // owned, for ever; NULL until asked for
};

// The listed platforms, found on the first call. DEVICE_NOT_FOUND when nothing is left.
TN_MUST_USE tn_status tn_device_list_open(tn_diag *diag);

#endif
