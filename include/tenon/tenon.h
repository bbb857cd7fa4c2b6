// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tenon's C API, all of it, and the words that hold for every function.
//
// Ownership. create, open, parse, copy, load: the caller owns one reference (or the object) that
// comes through the last `out` parameter, which is NULL after a failure. retain and release count;
// release takes NULL. at, get, find, and functions that name a thing give borrowed pointers, good
// as long as the comment says. Arguments are borrowed during the call unless the comment says
// otherwise. NULL. `diag` may be NULL, release and close take NULL, and so may be an array of no
// items; another pointer only where its comment says so. tenon/bundle.h, tenon/cache.h and image
// files (tenon/kernel.h) look at all others: what can fail gives INVALID_ARGUMENT, what cannot 0,
// NULL or an empty text. Threads. Any function may be called from any thread; one object may be
// used from several threads at a time unless its comment says otherwise. Callbacks are called with
// no lock held and must not throw. Errors. See status.h. The library never exits, aborts or throws,
// and prints only where a function's comment says so. Versions. Structs that may grow begin with
// their size, written by the caller.
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "tenon/bindless_image.h"
#include "tenon/bundle.h"
#include "tenon/cache.h"
#include "tenon/device.h"
#include "tenon/error.h"
#include "tenon/graph.h"
#include "tenon/host_memory.h"
#include "tenon/ipc_memory.h"
#include "tenon/kernel.h"
#include "tenon/memory.h"
#include "tenon/memory_pool.h"
#include "tenon/native.h"
#include "tenon/queue.h"
#include "tenon/rtc.h"
#include "tenon/status.h"
#include "tenon/virtual_memory.h"
#include "tenon/weak.h"

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

// "0.1.0"; static.
TN_API const char *tn_version(void);

#ifdef __cplusplus
}
#endif
#endif
