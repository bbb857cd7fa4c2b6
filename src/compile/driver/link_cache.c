// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline's keys say what a result is made from; here they are told apart by who makes it, so
// that another build of Tenon or of LLVM under the same version finds nothing of this one's.
#include "compile/driver/link_cache.h"

#include "base/blake3.h"
#include "base/config.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/file_identity.h"

// Not by its place or time: what was installed may be packed, moved and unpacked.
static void add_library(const void *address, tn_blake3 *hash) {
  char *path = tn_path_of_address(address);
  uint8_t identity[TN_FILE_IDENTITY_SIZE];
  if (path && tn_file_identify(path, identity)) {
    tn_blake3_add(hash, identity, sizeof(identity));
  }
  tn_free(path);
}

void tn_toolchain_identify(uint8_t toolchain[TN_STORE_KEY_SIZE]) {
  static const char here;
  tn_blake3 hash;
  tn_blake3_init(&hash);
  add_library(&here, &hash);
  const void *llvm = tn_dynlib_resolve("LLVMGetVersion", &here);
  if (llvm) {
    add_library(llvm, &hash);
  }
  tn_blake3_finish(&hash, toolchain);
}

static void mix(const tn_kept_links *kept, const uint8_t *key, uint8_t out[TN_STORE_KEY_SIZE]) {
  for (size_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    out[i] = key[i] ^ kept->toolchain[i];
  }
}

static bool get(void *user, const uint8_t key[32], tn_buf *out) {
  const tn_kept_links *kept = user;
  uint8_t mixed[TN_STORE_KEY_SIZE];
  mix(kept, key, mixed);
  return tn_store_get(kept->store, mixed, out);
}

static void put(void *user, const uint8_t key[32], tn_bytes value) {
  const tn_kept_links *kept = user;
  uint8_t mixed[TN_STORE_KEY_SIZE];
  mix(kept, key, mixed);
  tn_store_put(kept->store, mixed, value);
}

void tn_kept_links_open(tn_kept_links *kept, bool wanted) {
  const tn_config *config = tn_config_get();
  *kept = (tn_kept_links){.hooks = {.user = kept, .get = get, .put = put}};
  if (wanted && config->cache) {
    // Not synced: that takes longer than to lower most units again.
    kept->store =
        tn_store_open(config->cache_dir, "link", (uint64_t)config->cache_mib * 1024 * 1024, 0);
    tn_toolchain_identify(kept->toolchain);
  }
}

void tn_kept_links_close(tn_kept_links *kept) {
  tn_store_close(kept->store);
  kept->store = NULL;
}

const tn_link_cache *tn_kept_links_hooks(const tn_kept_links *kept) {
  return kept->store ? &kept->hooks : NULL;
}
