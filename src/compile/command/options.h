// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option table as the parser sees it: what an argument is, what it takes, where it goes.
#ifndef TN_COMPILE_COMMAND_OPTIONS_H
#define TN_COMPILE_COMMAND_OPTIONS_H

#include "base/buf.h"

typedef enum tn_option_shape {
  TN_SHAPE_FLAG, TN_SHAPE_JOINED, TN_SHAPE_SEPARATE, TN_SHAPE_EITHER, TN_SHAPE_COMMA,
  TN_SHAPE_PAIR, TN_SHAPE_TRIPLE,
} tn_option_shape;

typedef enum tn_option_meaning {
  TN_OPTION_NONE, TN_OPTION_SYCL, TN_OPTION_NO_SYCL, TN_OPTION_TARGETS, TN_OPTION_OFFLOAD_ARCH,
  TN_OPTION_SPLIT_AUTO, TN_OPTION_SPLIT, TN_OPTION_RDC, TN_OPTION_NO_RDC, TN_OPTION_DEVICE_LINK,
  TN_OPTION_LINK_TARGETS, TN_OPTION_ADD_TARGETS, TN_OPTION_EMBED_IR, TN_OPTION_FRONTEND_WORDS,
  TN_OPTION_FRONTEND_WORDS_FOR, TN_OPTION_BACKEND_WORDS, TN_OPTION_BACKEND_WORDS_FOR,
  TN_OPTION_LINKER_WORDS, TN_OPTION_LINKER_WORDS_FOR, TN_OPTION_DEVICE_OBJ, TN_OPTION_DUMP_DIR,
  TN_OPTION_HOST_COMPILER, TN_OPTION_HOST_OPTIONS, TN_OPTION_INT_HEADER, TN_OPTION_COMPRESS,
  TN_OPTION_NO_COMPRESS, TN_OPTION_COMPRESSION, TN_OPTION_LINK_JOBS, TN_OPTION_LINK_CACHE,
  TN_OPTION_NO_LINK_CACHE, TN_OPTION_CUDA_PATH, TN_OPTION_SUB_GROUP_SIZE,
  TN_OPTION_ACCEPTED,  // of DPC++, without effect
  TN_OPTION_IGNORED,   // the same, with a warning
  TN_OPTION_REFUSED, TN_OPTION_ALIAS,
  TN_OPTION_STATIC_LIBRARY,  // its value is read as an input
  TN_OPTION_DEVICE_ONLY, TN_OPTION_HOST_ONLY, TN_OPTION_ALLOW_IMPORTS, TN_OPTION_NO_ALLOW_IMPORTS,
  TN_OPTION_SAVE_TEMPS, TN_OPTION_SAVE_TEMPS_IN, TN_OPTION_PRINT_PLAN, TN_OPTION_VERBOSE,
  TN_OPTION_HELP, TN_OPTION_VERSION, TN_OPTION_CLANG, TN_OPTION_JOBS, TN_OPTION_COMPILE,
  TN_OPTION_ASSEMBLY, TN_OPTION_PREPROCESS, TN_OPTION_EMIT_LLVM, TN_OPTION_SYNTAX_ONLY,
  TN_OPTION_PRECOMPILE, TN_OPTION_ANALYZE, TN_OPTION_OUTPUT, TN_OPTION_LANGUAGE,
  TN_OPTION_DEPENDENCIES, TN_OPTION_DEPENDENCY_FILE, TN_OPTION_DEPENDENCY_OUTPUT,
  TN_OPTION_DEPENDENCY_TARGET, TN_OPTION_PREPROCESSOR,
  TN_OPTION_SHARED, TN_OPTION_STATIC, TN_OPTION_RELOCATABLE,
  TN_OPTION_LIBRARY_DIR, TN_OPTION_LIBRARY, TN_OPTION_LINKER, TN_OPTION_LINKER_Z,
  TN_OPTION_LINKER_NAME, TN_OPTION_DEBUG,
  TN_OPTION_BESIDE_OBJECT,  // makes a file beside the object, named after it
  TN_OPTION_OPTIMIZE, TN_OPTION_STANDARD, TN_OPTION_LTO, TN_OPTION_NO_LTO, TN_OPTION_XCLANG,
  TN_OPTION_AUTO_PCH, TN_OPTION_PERSISTENT_AUTO_PCH, TN_OPTION_NO_AUTO_PCH,
  TN_OPTION_WRITE_PREAMBLES, TN_OPTION_REMARK_PREAMBLE, TN_OPTION_NO_REMARK_PREAMBLE,
  TN_OPTION_REMARK_PASS, TN_OPTION_REMARK_MISSED, TN_OPTION_REMARK_ANALYSIS,
  TN_OPTION_NO_REMARK_PASS, TN_OPTION_NO_REMARK_MISSED, TN_OPTION_NO_REMARK_ANALYSIS,
  TN_OPTION_XARCH_DEVICE, TN_OPTION_TRIPLE, TN_OPTION_PROCESSOR, TN_OPTION_ASK,
  TN_OPTION_DRIVER_MODE, TN_OPTION_DATABASE,
} tn_option_meaning;

enum {  // where an option is handed on to
  TN_GOES_OWN = 0, TN_GOES_D = 1, TN_GOES_H = 2, TN_GOES_L = 4,
  TN_GOES_DH = 3, TN_GOES_HL = 6, TN_GOES_DHL = 7,
};

typedef struct tn_option {
  const char *spelling;  // static, as all texts here
  tn_option_shape shape;
  tn_option_meaning meaning;
  uint32_t goes;
  const char *value;  // what it takes, for --help; or a reason, or another option (the table says)
  const char *help;   // "" for options that are clang's
} tn_option;

size_t tn_option_count(void);
const tn_option *tn_option_at(size_t index);
// The option that `argument` spells: the longest that fits, as clang decides. NULL: none.
const tn_option *tn_option_find(const char *argument);
// Arguments of their own that follow `argument`: 0 to 3.
size_t tn_option_extra(const tn_option *option, const char *argument);
void tn_option_help(tn_buf *out);

// What to say of an option that begins with -fsycl- (or -fno-sycl-) and is not in the table.
tn_status tn_option_refuse(const char *argument, tn_diag *diag);

#endif
