// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <stdbool.h> for sources compiled at run time. See README.md beside this file.
#ifndef TENON_RTC_STDBOOL_H
#define TENON_RTC_STDBOOL_H

#ifndef __cplusplus
#define bool _Bool
#define true 1
#define false 0
#endif
#define __bool_true_false_are_defined 1

#endif
