// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to source: what is kept on disk of one target's build, by its manifest and by its print
// (docs/formats/disk-cache.md).
#ifndef TN_RUN_SOURCE_SOURCE_DISK_H
#define TN_RUN_SOURCE_SOURCE_DISK_H

#include "run/cache/cache.h"
#include "run/source/source_unit.h"

// One build on its way out of the disk or onto it. Storage is the caller's; one thread.
typedef struct tn_source_disk {
  tn_disk_item item;  // by the manifest
  tn_buf images;      // by the print; owned
  uint8_t key[TN_STORE_KEY_SIZE];
  bool has_key;  // else nothing is found and nothing is kept
} tn_source_disk;
void tn_source_disk_init(tn_source_disk *disk);
void tn_source_disk_deinit(tn_source_disk *disk);  // also gives up the claim

// What is known before anything is compiled, but for the target; and where the process stands, if
// an option may be relative to it.
void tn_source_hash_manifest(tn_blake3 *hash, const tn_source_job *job);

// What holds still; *unit then has views of the disk's bytes.
bool tn_source_disk_find(const tn_source_job *job, tn_source_disk *disk, tn_source_unit *unit);
// The names, messages and images of a unit that has a print, inputs and misses.
bool tn_source_disk_find_print(const tn_source_job *job, tn_source_disk *disk,
                               tn_source_unit *unit);
// Keeps it under its manifest, and under its print where it has one and was not found by it.
void tn_source_disk_keep(const tn_source_job *job, tn_source_disk *disk, const tn_source_unit *unit,
                         bool is_of_print);

#endif
