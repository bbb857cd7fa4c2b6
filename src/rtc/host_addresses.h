// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to rtc: where the C and math functions are that loaded code may call.
#ifndef TN_RTC_HOST_ADDRESSES_H
#define TN_RTC_HOST_ADDRESSES_H

#include "base/str.h"

// 0 when device code may not call it.
uint64_t tn_host_address_find(tn_str symbol);

#endif
