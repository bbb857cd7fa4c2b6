// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of SYCL that generated kernels use, as plain sequential C++: what their results are
// compared with. It shares no code with include/sycl.
//
// A work-item of an nd_range is a fiber. A group function hands each fiber's value to the others in
// an array, between two waits for all of the group or sub-group. A sub-group
// follows the linear ids of work-items, as on Tenon's CPU device.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_SYCL_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_SYCL_HPP

#include "fibers.hpp"
#include "functions.hpp"
#include "groups.hpp"
#include "index.hpp"
#include "launch.hpp"
#include "vector.hpp"

#endif
