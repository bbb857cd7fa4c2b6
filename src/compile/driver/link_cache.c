// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline's keys say what a result is made from; here they are told apart by who makes it, so
// that another build of Tenon or of LLVM under the same version finds nothing of this one's.
#include "compile/driver/link_cache.h"

#include "base/config.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/map.h"

#include <sys/stat.h>

// A file that was installed anew has another time or size.
static void add_file(char *take_path, uint64_t identity[4]) {
  struct stat info;
  if (take_path && stat(take_path, &info) == 0) {
    const int64_t facts[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                             (int64_t)info.st_mtim.tv_nsec};
    for (size_t i = 0; i < 4; i++) {
      identity[i] = tn_hash_bytes(facts, sizeof(facts), identity[i] + i);
    }
  }
  tn_free(take_path);
}

void tn_toolchain_identify(uint8_t toolchain[TN_STORE_KEY_SIZE]) {
  static const char here;
  uint64_t identity[4] = {0};
  add_file(tn_path_of_address(&here), identity);
  const void *llvm = tn_dynlib_resolve("LLVMGetVersion", &here);
  add_file(llvm ? tn_path_of_address(llvm) : NULL, identity);
  memcpy(toolchain, identity, TN_STORE_KEY_SIZE);
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
