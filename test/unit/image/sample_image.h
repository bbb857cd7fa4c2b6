// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A description with something of everything, in no sorted order. Its bytes are the golden file
// test/golden/fatbin/v1-sample.hex, so it must stay as it is.
#ifndef TN_TEST_UNIT_IMAGE_SAMPLE_IMAGE_H
#define TN_TEST_UNIT_IMAGE_SAMPLE_IMAGE_H

#include "image/image.h"

// Unlike TN_STR_LIT, good for static storage.
#define TEXT(literal) {(literal), sizeof(literal) - 1}

static const tn_kernel_info sample_kernels[] = {
    {.name = TEXT("_ZTS6second"),
     .display_name = TEXT("second"),
     .file = TEXT("app.cpp"),
     .line = 20,
     .arg_size = 8,
     .arg_align = 4,
     .flags = TN_KERNEL_USES_ND_RANGE},
    {.name = TEXT("_ZTS5first@00000000deadbeef"),
     .display_name = TEXT("first"),
     .line = 0,
     .arg_size = 24,
     .arg_align = 8},
};
static const tn_symbol_info sample_imports[] = {
    {.name = TEXT("_Z13LibDeviceFunci"),
     .display_name = TEXT("LibDeviceFunc(int)"),
     .user = TEXT("second"),
     .file = TEXT("app.cpp"),
     .line = 22},
};
static const tn_symbol_info sample_exports[] = {
    {.name = TEXT("_Z5otherv"),
     .display_name = TEXT("other()"),
     .file = TEXT("app.cpp"),
     .line = 4,
     .flags = TN_SYMBOL_WEAK},
    {.name = TEXT("_Z3onev"), .display_name = TEXT("one()")},
};
static const uint8_t sample_module_id[] = {'a', '.', 'o', 'u', 't'};
static const tn_prop sample_misc[] = {
    {.name = TEXT("optLevel"), .type = TN_PROP_U32, .u32 = 2},
    {.name = TEXT("moduleId"),
     .type = TN_PROP_BYTES,
     .bytes = {sample_module_id, sizeof(sample_module_id)}},
};
static const uint8_t sample_code[] = {'B', 'C', 0xc0, 0xde, 1, 2, 3};
static const uint8_t sample_text[] = {'.', 'v', 'e', 'r', 's', 'i', 'o', 'n'};
static const tn_image_desc sample_images[] = {
    {.target = TN_TARGET_NATIVE_CPU,
     .triple = "x86_64-pc-linux-gnu",
     .format = TN_IMAGE_FORMAT_BITCODE,
     .code = {sample_code, sizeof(sample_code)},
     .kernels = sample_kernels,
     .kernel_count = TN_COUNT(sample_kernels),
     .imports = sample_imports,
     .import_count = TN_COUNT(sample_imports),
     .exports = sample_exports,
     .export_count = TN_COUNT(sample_exports),
     .misc = sample_misc,
     .misc_count = TN_COUNT(sample_misc)},
    {.target = "nvptx64-nvidia-cuda",
     .triple = "nvptx64-nvidia-cuda",
     .format = TN_IMAGE_FORMAT_PTX,
     .code = {sample_text, sizeof(sample_text)}},
};

#endif
