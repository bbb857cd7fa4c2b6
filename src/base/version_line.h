// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first line that --version prints.
#ifndef TN_BASE_VERSION_LINE_H
#define TN_BASE_VERSION_LINE_H

// `program` is what the process was called by (argv[0]; may be NULL): as clang or clang++, in
// lib/tenon/dpcpp/bin, it stands where build systems look for DPC++, and some know it by this line.
const char *tn_version_line(const char *program);  // static

#endif
