// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images: memory for pixels, and the numbers by which kernels fetch, sample and write
// them. See tenon.h for ownership and threading. Source: the SYCL extension
// sycl_ext_oneapi_bindless_images.
//
// NVIDIA GPUs have CUDA arrays, and the numbers are texture and surface objects. Other devices have
// linear memory, and a number is the address of a tn_bindless_pixels: kernels do the rest.
#ifndef TENON_BINDLESS_IMAGE_H
#define TENON_BINDLESS_IMAGE_H

#include "tenon/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// The values are those of sycl::image_channel_type.
enum {
  TN_CHANNEL_SNORM_INT8 = 0,
  TN_CHANNEL_SNORM_INT16 = 1,
  TN_CHANNEL_UNORM_INT8 = 2,
  TN_CHANNEL_UNORM_INT16 = 3,
  TN_CHANNEL_SIGNED_INT8 = 7,
  TN_CHANNEL_SIGNED_INT16 = 8,
  TN_CHANNEL_SIGNED_INT32 = 9,
  TN_CHANNEL_UNSIGNED_INT8 = 10,
  TN_CHANNEL_UNSIGNED_INT16 = 11,
  TN_CHANNEL_UNSIGNED_INT32 = 12,
  TN_CHANNEL_FP16 = 13,
  TN_CHANNEL_FP32 = 14
};
enum {
  TN_BINDLESS_STANDARD = 0,
  TN_BINDLESS_MIPMAP = 1,
  TN_BINDLESS_ARRAY = 2,    // layers of 1 or 2 dimensions
  TN_BINDLESS_CUBEMAP = 3,  // 6 square layers
  TN_BINDLESS_GATHER = 4    // as STANDARD, of 2 dimensions, for gathering too
};
typedef struct tn_bindless_description {
  uint64_t extent[3];  // pixels; 0 in dimensions that the image does not have
  uint32_t channel_count;
  int32_t channel_type;  // TN_CHANNEL_…
  int32_t type;          // TN_BINDLESS_STANDARD …
  uint32_t level_count;  // of a MIPMAP more than 1
  uint32_t layer_count;  // of an ARRAY more than 1
  uint32_t reserved;
} tn_bindless_description;

// The values are those of sycl::addressing_mode.
enum {
  TN_ADDRESSING_MIRRORED_REPEAT = 0,
  TN_ADDRESSING_REPEAT = 1,
  TN_ADDRESSING_CLAMP_TO_EDGE = 2,
  TN_ADDRESSING_CLAMP = 3,  // zeros outside
  TN_ADDRESSING_NONE = 4
};
typedef struct tn_bindless_sampler {
  int32_t addressing[3];  // TN_ADDRESSING_…, of each dimension
  uint8_t is_normalized;  // coordinates are from 0 to 1
  uint8_t is_linear;
  uint8_t is_linear_between_levels;
  uint8_t is_seamless;  // CUBEMAP: filtering goes on over the edges
  float least_level;
  float most_level;
  float most_anisotropy;
} tn_bindless_sampler;

// Features of a device, one bit each.
enum {
  TN_BINDLESS_HAS_IMAGES = 1u << 0,
  TN_BINDLESS_HAS_SHARED_USM = 1u << 1,
  TN_BINDLESS_HAS_1D_USM = 1u << 2,
  TN_BINDLESS_HAS_2D_USM = 1u << 3,
  TN_BINDLESS_HAS_3D_USM = 1u << 4,
  TN_BINDLESS_HAS_UNSAMPLED_USM = 1u << 5,
  TN_BINDLESS_HAS_GATHER = 1u << 6,
  TN_BINDLESS_SAMPLES_1D_USM = 1u << 7,
  TN_BINDLESS_SAMPLES_2D_USM = 1u << 8,
  TN_BINDLESS_FETCHES_1D = 1u << 9,  // from sampled images, as the following
  TN_BINDLESS_FETCHES_1D_USM = 1u << 10,
  TN_BINDLESS_FETCHES_2D = 1u << 11,
  TN_BINDLESS_FETCHES_2D_USM = 1u << 12,
  TN_BINDLESS_FETCHES_3D = 1u << 13,
  TN_BINDLESS_HAS_CUBEMAPS = 1u << 14,
  TN_BINDLESS_HAS_SEAMLESS_CUBEMAPS = 1u << 15,
  TN_BINDLESS_HAS_ARRAYS = 1u << 16,
  TN_BINDLESS_HAS_MIPMAPS = 1u << 17,
  TN_BINDLESS_HAS_ANISOTROPY = 1u << 18,
  TN_BINDLESS_HAS_LEVEL_IMAGES = 1u << 19,
  TN_BINDLESS_HAS_ADDRESSING_PER_DIMENSION = 1u << 20,
  TN_BINDLESS_HAS_3_CHANNELS = 1u << 21
};
typedef struct tn_bindless_facts {
  uint32_t features;             // TN_BINDLESS_HAS_IMAGES …; 0: the device has no bindless images
  uint32_t row_pitch_alignment;  // bytes; of images in USM, as the following
  uint64_t most_linear_width;    // pixels
  uint64_t most_linear_height;
  uint64_t most_linear_row_pitch;  // bytes
  float most_anisotropy;
  uint32_t reserved;
} tn_bindless_facts;
// Any thread.
TN_API void tn_bindless_get_facts(const tn_device *device, tn_bindless_facts *out);
// INVALID_ARGUMENT for invalid descriptions, UNSUPPORTED for images that the device does not
// support: `is_in_usm`, of USM, else of a tn_bindless_memory.
TN_API TN_MUST_USE tn_status tn_bindless_check(const tn_device *device,
                                               const tn_bindless_description *description,
                                               int is_in_usm, int is_sampled, tn_diag *diag);

// Memory of one image; the context stays as long. Used by tn_bindless_image_create, and by commands
// TN_COMMAND_COPY_RECT (TN_COMMAND_IMAGE_SOURCE).
typedef struct tn_bindless_memory tn_bindless_memory;
// OUT_OF_MEMORY, WRONG_CONTEXT for devices that the context does not have, and what
// tn_bindless_check returns. The contents are undefined.
TN_API TN_MUST_USE tn_status tn_bindless_memory_create(tn_context *context, tn_device *device,
                                                       const tn_bindless_description *description,
                                                       tn_bindless_memory **out, tn_diag *diag);
// After all images of it are destroyed and all commands with it are complete. INVALID_ARGUMENT for
// NULL, for a level, and where `type` is not its description's.
TN_API TN_MUST_USE tn_status tn_bindless_memory_destroy(tn_bindless_memory *memory, int32_t type,
                                                        tn_diag *diag);
// One level of a MIPMAP as memory of type STANDARD, borrowed until `memory` is destroyed.
TN_API TN_MUST_USE tn_status tn_bindless_memory_level(tn_bindless_memory *memory, uint32_t level,
                                                      tn_bindless_memory **out, tn_diag *diag);
// INVALID_ARGUMENT for NULL.
TN_API TN_MUST_USE tn_status tn_bindless_memory_describe(const tn_bindless_memory *memory,
                                                         tn_bindless_description *out,
                                                         tn_diag *diag);

// A number by which kernels on the memory's device use the pixels: sampled as `sampler` says, or
// unsampled when it is NULL. `description` is the memory's; the channels may be others of the same
// size. It is not 0. OUT_OF_MEMORY, INVALID_ARGUMENT, and what tn_bindless_check returns.
TN_API TN_MUST_USE tn_status tn_bindless_image_create(tn_bindless_memory *memory,
                                                      const tn_bindless_description *description,
                                                      const tn_bindless_sampler *sampler,
                                                      uint64_t *out, tn_diag *diag);
// The same for pixels at `pixels`, in USM that the device reads, with rows `row_pitch` bytes apart
// (0: without gaps), which stay the caller's.
TN_API TN_MUST_USE tn_status
tn_bindless_image_create_of_usm(tn_context *context, tn_device *device, void *pixels,
                                size_t row_pitch, const tn_bindless_description *description,
                                const tn_bindless_sampler *sampler, uint64_t *out, tn_diag *diag);
// After all kernels that use it are complete. INVALID_ARGUMENT for numbers that are no image of the
// device and context, as far as the driver tells: NVIDIA's takes those that were destroyed already.
TN_API TN_MUST_USE tn_status tn_bindless_image_destroy(tn_context *context, tn_device *device,
                                                       uint64_t image, int is_sampled,
                                                       tn_diag *diag);

// USM of the device for `height` rows of `row_size` bytes, *out_pitch bytes apart, as the device
// wants them for images. OUT_OF_MEMORY. Freed by tn_usm_free.
TN_API TN_MUST_USE tn_status tn_bindless_alloc_rows(tn_context *context, tn_device *device,
                                                    size_t row_size, size_t height,
                                                    size_t *out_pitch, void **out, tn_diag *diag);

// The record that a number is the address of, where kernels read pixels themselves.

enum {
  TN_PIXELS_UNORM = 0,
  TN_PIXELS_SINT = 1,
  TN_PIXELS_UINT = 2,
  TN_PIXELS_FLOAT = 3,
  TN_PIXELS_SNORM = 4
};
typedef struct tn_bindless_level {
  uint64_t pixels;       // their address
  uint64_t row_pitch;    // bytes, as the next one
  uint64_t slice_pitch;  // from one slice, or layer, to the next
  int32_t extent[3];     // at least 1 each
  int32_t layer_count;
} tn_bindless_level;
typedef struct tn_bindless_pixels {
  uint8_t kind;  // TN_PIXELS_…
  uint8_t channel_size;
  uint8_t channel_count;
  uint8_t level_count;
  tn_bindless_sampler sampler;
  tn_bindless_level levels[1];  // level_count of them
} tn_bindless_pixels;

#ifdef __cplusplus
}
#endif
#endif
