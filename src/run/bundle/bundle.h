// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel bundles for the run wing: all that there is to call is public.
#ifndef TN_RUN_BUNDLE_BUNDLE_H
#define TN_RUN_BUNDLE_BUNDLE_H

#include "run/device/device.h"
#include "tenon/bundle.h"

#endif
