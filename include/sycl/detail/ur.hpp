// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs use of DPC++'s interface to its plugins: oneMath's back ends over cuSOLVER and
// cuSPARSE keep a handle of the library by context, until the context's end.
#ifndef TENON_SYCL_DETAIL_UR_HPP
#define TENON_SYCL_DETAIL_UR_HPP

#include "tenon/native.h"
#include <sycl/context.hpp>
#include <sycl/detail/check.hpp>

// The name alone: programs take it for keys of their own maps. Tenon has no such layer.
typedef struct ur_context_handle_t_ *ur_context_handle_t;

namespace sycl::detail::pi {

// See tn_native_at_end.
inline void contextSetExtendedDeleter(const context &ctx, void (*function)(void *), void *data) {
#ifndef __SYCL_DEVICE_ONLY__
  tn_diag diag;
  check(tn_native_at_end(ctx.tn_get(), function, data, &diag), diag);
#endif
}

}  // namespace sycl::detail::pi

#endif
