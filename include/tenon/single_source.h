// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs in C with kernels in the same source, compiled by `tenoncc -fsycl`: what launches them.
//
//   TN_KERNEL void scale(float *data, float by) { data[tn_global_id(0)] *= by; }
//   TN_KERNEL_SLOT(scale_slot, scale);
//
// and then tn_command.slot = &scale_slot, with an argument block that holds the arguments as
// members of a struct would lie. See device_code.h for kernels, queue.h for launches.
#ifndef TENON_SINGLE_SOURCE_H
#define TENON_SINGLE_SOURCE_H

#include "tenon/device_code.h"
#include "tenon/kernel.h"

#ifndef __TENON_UNIT_ID__
#error "tenon/single_source.h is for sources that tenoncc compiles with -fsycl"
#endif
#ifndef __TENON_MODULE__
#define __TENON_MODULE__ __tenon_module
#endif

#ifdef __TENON_DEVICE_ONLY__
// The device's part of the source has no use for slots; host functions in it may name them.
#define TN_KERNEL_SLOT(slot, kernel) __attribute__((__unused__)) static tn_kernel_slot slot
#else
// NULL when something other than tenoncc or tenon++ linked the program.
extern tn_module __TENON_MODULE__ __attribute__((__weak__, __visibility__("hidden")));
// At file scope: a static tn_kernel_slot for a kernel that is declared before.
#define TN_KERNEL_SLOT(slot, kernel)                                     \
  _Static_assert(sizeof(__typeof__(kernel) *) > 0, "it is no function"); \
  static tn_kernel_slot slot = {&__TENON_MODULE__, #kernel, __TENON_UNIT_ID__, NULL}
#endif

#endif
