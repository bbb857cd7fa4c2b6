// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: sources of builds at run time, with their options and include files. Whatever they
// are, the build ends with a status and words for it, and nothing is left behind.
//
// The first byte says the language (bit 0) and the target (bits 1 and 2), the second which options
// there are, the third how many include files (0 to 3). Then come parts that end in a byte of 0: of
// each include file its name and its text, and the source.
#include "base/alloc.h"
#include "fuzz/fuzz_target.h"
#include "image/image.h"
#include "rtc/rtc.h"

enum { INCLUDES_MAXIMUM = 3 };

static const char *const options[] = {"-O0",       "-g",    "-std=c++20", "-fsycl-no-such",
                                      "-Isome/..", "-Wall", "-DX=1",      "-ffast-math"};
static const char *const targets[] = {TN_TARGET_NATIVE_CPU, "nvptx64-nvidia-cuda", "spirv64",
                                      "nowhere"};

static tn_source_file take_file(tn_arena *arena, tn_str *rest, bool has_name) {
  const tn_str name = has_name ? tn_str_split(rest, '\0') : TN_STR_LIT("rtc_1.cpp");
  const tn_str text = tn_str_split(rest, '\0');
  const char *copy = tn_arena_str(arena, name);
  FUZZ_REQUIRE(copy != NULL);
  return (tn_source_file){copy, text.data, text.size};
}

static void check_result(const tn_source_result *result, tn_status status, const tn_diag *diag) {
  FUZZ_REQUIRE(result->log != NULL);
  FUZZ_REQUIRE((status == TN_OK) == (result->fatbin != NULL));
  FUZZ_REQUIRE(status == TN_OK || (diag->text[0] != '\0' && diag->code == (int32_t)status));
  (void)fuzz_touch_text(tn_str_from(result->log));
  if (status == TN_OK) {
    tn_fatbin images;
    FUZZ_REQUIRE(tn_fatbin_parse(tn_bytes_from(result->fatbin, result->fatbin_size), &images,
                                 NULL) == TN_OK);
    FUZZ_REQUIRE(images.image_count > 0);
  }
}

static void build(const tn_source_params *params) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  tn_source_result result = {.struct_size = sizeof(result)};
  tn_diag diag = {0};
  const tn_status status = compiler->compile_source(params, &result, &diag);
  check_result(&result, status, &diag);
  compiler->free_source_result(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) {
    return 0;
  }
  const char *words[TN_COUNT(options)];
  tn_source_file includes[INCLUDES_MAXIMUM];
  tn_arena arena;
  tn_arena_init(&arena);
  tn_source_params params = {
      .struct_size = sizeof(params),
      .language = (data[0] & 1) != 0 ? TN_LANGUAGE_SYCL : TN_LANGUAGE_C,
      .includes = includes,
      .options = words,
      .target = targets[data[0] >> 1 & 3],
  };
  for (size_t i = 0; i < TN_COUNT(options); i++) {
    if ((data[1] >> i & 1) != 0) {
      words[params.option_count++] = options[i];
    }
  }
  tn_str rest = {(const char *)data + 3, size - 3};
  const size_t wanted = data[2] % (INCLUDES_MAXIMUM + 1);
  while (params.include_count < wanted) {
    includes[params.include_count++] = take_file(&arena, &rest, true);
  }
  params.source = take_file(&arena, &rest, false);
  build(&params);
  tn_arena_deinit(&arena);
  return 0;
}
