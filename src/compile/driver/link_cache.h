// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of device links kept on disk between commands (base/store.h). Private to the driver.
#ifndef TN_COMPILE_DRIVER_LINK_CACHE_H
#define TN_COMPILE_DRIVER_LINK_CACHE_H

#include "base/store.h"
#include "compile/pipeline/pipeline.h"

typedef struct tn_kept_links {
  tn_store *store;                       // owned; NULL: off
  uint8_t toolchain[TN_STORE_KEY_SIZE];  // of the programs that make results
  tn_link_cache hooks;
} tn_kept_links;

// Off when it is not `wanted` (-fno-sycl-link-cache), with TENON_CACHE=0, and where no folder can
// be had. `kept` stays where it is until close.
void tn_kept_links_open(tn_kept_links *kept, bool wanted);
// Tells builds of Tenon and of LLVM apart.
void tn_toolchain_identify(uint8_t out[TN_STORE_KEY_SIZE]);
void tn_kept_links_close(tn_kept_links *kept);
// For tn_link_params.cache: NULL when it is off.
const tn_link_cache *tn_kept_links_hooks(const tn_kept_links *kept);

#endif
