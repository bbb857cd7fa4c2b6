// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: tiered compilation (docs/decisions/tiers.md). Programs that were loaded from
// code of the quick tier get their full tier in the background.
#ifndef TN_RUN_PROGRAM_TIER_UPGRADE_H
#define TN_RUN_PROGRAM_TIER_UPGRADE_H

#include "base/store.h"
#include "run/program/program_object.h"
#include "tenon/compiler.h"

// A pending build of a full tier.
typedef struct tn_tier_upgrade tn_tier_upgrade;

// A deep copy of `params` without TN_BUILD_QUICK; NULL when there is no memory.
tn_tier_upgrade *tn_tier_upgrade_prepare(const tn_build_params *params);
// The full tier is stored in the disk cache under that key.
void tn_tier_upgrade_set_key(tn_tier_upgrade *upgrade, const uint8_t key[TN_STORE_KEY_SIZE],
                             tn_str description);
// Takes the upgrade over and builds it on the background thread a moment later, if the program is
// still in use then; drops it at exit. Builds on the calling thread when no thread can be
// started. No lock may be held.
void tn_tier_upgrade_start(tn_tier_upgrade *take, tn_program *program);
void tn_tier_upgrade_free(tn_tier_upgrade *upgrade);  // NULL-safe; not after it was started

// Before the program is destroyed.
void tn_tier_upgrade_drop(const tn_program *program);
// Returns when no upgrade of the program is pending. No lock may be held.
void tn_tier_upgrade_wait(const tn_program *program);

#endif
