// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: drivers that are tried by another process first (TENON_TRY_DRIVERS).
#ifndef TN_RUN_DEVICE_DRIVER_TRIAL_H
#define TN_RUN_DEVICE_DRIVER_TRIAL_H

#include "base/base.h"

// Has tenon-info look at the adapter's devices, which may take `seconds`. DEVICE_FAILED with what
// happened when a driver ended that process or did not answer; UNSUPPORTED when it cannot be
// started.
TN_MUST_USE tn_status tn_driver_try(const char *adapter, uint32_t seconds, tn_diag *diag);

#endif
