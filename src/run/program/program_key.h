// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: what a program on disk is found by (docs/formats/disk-cache.md).
#ifndef TN_RUN_PROGRAM_PROGRAM_KEY_H
#define TN_RUN_PROGRAM_PROGRAM_KEY_H

#include "base/store.h"
#include "run/program/link_set.h"
#include "run/program/spec_values.h"

// One compilation: all that decides its result, but for who compiles.
typedef struct tn_program_recipe {
  const tn_link_set *set;  // all borrowed
  tn_device *device;
  const tn_spec_settled *specs;
  uint32_t opt_level;
  uint32_t sub_group_size;  // of kernels that require none
  uint32_t group_shape;     // tn_build_params
  bool check;
  bool may_be_quick;  // the full tier may follow while it runs; no part of the key
} tn_program_recipe;
// With what the configuration and the device say.
tn_program_recipe tn_program_recipe_of(const tn_link_set *set, tn_device *device,
                                       const tn_spec_settled *specs);

// False when there is no memory, or when the adapter does not know what code for the device depends
// on. `toolchain`: who compiles (tn_device_identify_compiler).
bool tn_program_key(const tn_program_recipe *recipe, const uint8_t toolchain[TN_STORE_KEY_SIZE],
                    uint8_t out[TN_STORE_KEY_SIZE]);
// What the quick tier of a program is found by; `key` is the full tier's.
void tn_program_quick_key(const uint8_t key[TN_STORE_KEY_SIZE], uint8_t out[TN_STORE_KEY_SIZE]);
// For people: the device, the first kernels, and the options in one line; more in others.
void tn_program_describe(const tn_program_recipe *recipe, tn_buf *out);
// Bytes of the images' code, decompressed.
uint64_t tn_program_code_size(const tn_program_recipe *recipe);

#endif
