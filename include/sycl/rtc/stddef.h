// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// size_t and its kin for sources compiled at run time. See README.md beside this file.
#ifndef TENON_RTC_STDDEF_H
#define TENON_RTC_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef struct {
  _Alignas(long long) long long tn_integer;
  _Alignas(long double) long double tn_number;
} max_align_t;
#ifdef __cplusplus
typedef decltype(nullptr) nullptr_t;
#define NULL __null
#else
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#endif

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
