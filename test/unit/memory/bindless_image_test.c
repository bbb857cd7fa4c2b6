// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images over a driver of NVIDIA's without a device (test/fake_cuda), whose arrays are
// host memory, and on the CPU, where an image is a record about linear memory.
#include "tenon/bindless_image.h"

#include "adapter/cuda/cuda_driver.h"
#include "tenon/tenon.h"
#include "fake_cuda/fake_fail.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static tn_device *device, *cpu;
static tn_context *context, *of_cpu;

static tn_diag failure;

// The latest arguments of the driver.
static int live_count;
static tn_cu_array_props array;
static tn_cu_resource resource;
static tn_cu_texture_props texture;
__attribute__((visibility("default"))) void fake_cuda_image(int live, const tn_cu_array_props *made,
                                                            const tn_cu_resource *of,
                                                            const tn_cu_texture_props *props);
void fake_cuda_image(int live, const tn_cu_array_props *made, const tn_cu_resource *of,
                     const tn_cu_texture_props *props) {
  live_count = live;
  array = made != NULL ? *made : array;
  resource = of != NULL ? *of : resource;
  texture = props != NULL ? *props : texture;
}

static int open_contexts(void **state) {
  (void)state;
  size_t count = 0;
  MUST(tn_device_count(&count, diag));
  for (size_t i = 0; i < count; i++) {
    uint32_t backend = 0;
    MUST(tn_device_get_info(tn_device_at(i), TN_DEVICE_INFO_BACKEND, &backend, sizeof(backend),
                            NULL, diag));
    device = backend == TN_BACKEND_CUDA && !device ? tn_device_at(i) : device;
    cpu = backend == TN_BACKEND_CPU ? tn_device_at(i) : cpu;
  }
  if (!device || !cpu) {
    return -1;
  }
  MUST(tn_context_create(&device, 1, &context, diag));
  MUST(tn_context_create(&cpu, 1, &of_cpu, diag));
  return 0;
}

static int close_contexts(void **state) {
  (void)state;
  tn_context_release(context);
  tn_context_release(of_cpu);
  return live_count;
}

static tn_bindless_description describe(uint64_t width, uint64_t height, uint64_t depth,
                                        uint32_t channel_count, int32_t channel_type) {
  return (tn_bindless_description){.extent = {width, height, depth},
                                   .channel_count = channel_count,
                                   .channel_type = channel_type,
                                   .level_count = 1,
                                   .layer_count = 1};
}

static void make_and_free(const tn_bindless_description *description) {
  tn_bindless_memory *memory = NULL;
  MUST(tn_bindless_memory_create(context, device, description, &memory, diag));
  assert_int_equal(live_count, 1);
  MUST(tn_bindless_memory_destroy(memory, description->type, diag));
  assert_int_equal(live_count, 0);
}

static void test_arrays(void **state) {
  (void)state;
  tn_bindless_description d = describe(7, 0, 0, 1, TN_CHANNEL_FP16);
  make_and_free(&d);
  assert_true(array.width == 7 && array.height == 0 && array.depth == 0);
  assert_true(array.format == TN_CU_FORMAT_HALF && array.channel_count == 1);
  assert_int_equal(array.flags, TN_CU_ARRAY_SURFACE);
  d = describe(7, 5, 3, 4, TN_CHANNEL_SNORM_INT16);
  make_and_free(&d);
  assert_true(array.width == 7 && array.height == 5 && array.depth == 3);
  assert_true(array.format == TN_CU_FORMAT_S16 && array.channel_count == 4);
  d = describe(7, 5, 0, 2, TN_CHANNEL_UNSIGNED_INT32);
  d.type = TN_BINDLESS_ARRAY;
  d.layer_count = 9;
  make_and_free(&d);
  assert_true(array.width == 7 && array.height == 5 && array.depth == 9);
  assert_int_equal(array.flags, TN_CU_ARRAY_SURFACE | TN_CU_ARRAY_LAYERED);
  d.type = TN_BINDLESS_CUBEMAP;
  d.extent[1] = 7;
  d.layer_count = 6;
  make_and_free(&d);
  assert_int_equal(array.depth, 6);
  assert_int_equal(array.flags, TN_CU_ARRAY_SURFACE | TN_CU_ARRAY_CUBEMAP);
  d = describe(8, 8, 0, 4, TN_CHANNEL_UNORM_INT8);
  d.type = TN_BINDLESS_GATHER;
  make_and_free(&d);
  assert_int_equal(array.flags, TN_CU_ARRAY_SURFACE | TN_CU_ARRAY_GATHER);
}

static void open_texture(const tn_bindless_description *description,
                         const tn_bindless_sampler *sampler) {
  tn_bindless_memory *memory = NULL;
  uint64_t image = 0;
  MUST(tn_bindless_memory_create(context, device, description, &memory, diag));
  MUST(tn_bindless_image_create(memory, description, sampler, &image, diag));
  assert_true(image != 0);
  assert_int_equal(live_count, 2);
  MUST(tn_bindless_image_destroy(context, device, image, 1, diag));
  ASSERT_FAILS(tn_bindless_image_destroy(context, device, image, 1, diag), INVALID_ARGUMENT,
               "destroyed already");
  MUST(tn_bindless_memory_destroy(memory, description->type, diag));
}

static void test_textures(void **state) {
  (void)state;
  tn_bindless_sampler sampler = {
      .addressing = {TN_ADDRESSING_MIRRORED_REPEAT, TN_ADDRESSING_REPEAT, TN_ADDRESSING_CLAMP},
      .is_normalized = 1,
      .is_linear = 1,
      .is_seamless = 1,
      .most_level = 3,
      .most_anisotropy = 8};
  tn_bindless_description d = describe(8, 8, 0, 4, TN_CHANNEL_UNORM_INT8);
  open_texture(&d, &sampler);
  assert_int_equal(resource.kind, TN_CU_RESOURCE_ARRAY);
  assert_int_equal(texture.flags, TN_CU_NORMALIZED);
  assert_int_equal(texture.filter, TN_CU_FILTER_LINEAR);
  assert_true(texture.addressing[0] == TN_CU_ADDRESS_MIRROR &&
              texture.addressing[1] == TN_CU_ADDRESS_WRAP &&
              texture.addressing[2] == TN_CU_ADDRESS_CLAMP);
  assert_true(texture.most_level == 0 && texture.most_anisotropy == 0);
  d = describe(8, 8, 8, 4, TN_CHANNEL_UNORM_INT8);
  open_texture(&d, &sampler);
  assert_int_equal(texture.addressing[2], TN_CU_ADDRESS_BORDER);
  // A border in a dimension that an image does not have takes half of each pixel.
  d = describe(8, 0, 0, 4, TN_CHANNEL_UNORM_INT8);
  sampler.addressing[1] = TN_ADDRESSING_CLAMP;
  open_texture(&d, &sampler);
  assert_int_equal(texture.addressing[1], TN_CU_ADDRESS_CLAMP);
  d = describe(8, 8, 0, 4, TN_CHANNEL_UNORM_INT8);
  // Integers are not made floating-point numbers.
  d.channel_type = TN_CHANNEL_SIGNED_INT8;
  sampler.is_normalized = 0;
  sampler.addressing[0] = TN_ADDRESSING_CLAMP_TO_EDGE;
  open_texture(&d, &sampler);
  assert_int_equal(texture.flags, TN_CU_READ_AS_INTEGER);
  assert_int_equal(texture.addressing[0], TN_CU_ADDRESS_CLAMP);
  d = describe(8, 4, 0, 1, TN_CHANNEL_FP32);
  d.type = TN_BINDLESS_MIPMAP;
  d.level_count = 4;
  sampler.is_linear_between_levels = 1;
  open_texture(&d, &sampler);
  assert_int_equal(resource.kind, TN_CU_RESOURCE_MIPMAP);
  assert_int_equal(texture.level_filter, TN_CU_FILTER_LINEAR);
  assert_true(texture.most_level == 3 && texture.most_anisotropy == 8);
  d = describe(8, 8, 0, 1, TN_CHANNEL_FP32);
  d.type = TN_BINDLESS_CUBEMAP;
  d.layer_count = 6;
  open_texture(&d, &sampler);
  assert_int_equal(texture.flags, TN_CU_SEAMLESS_CUBEMAP);
  sampler.addressing[2] = 5;
  tn_bindless_memory *memory = NULL;
  uint64_t image = 0;
  MUST(tn_bindless_memory_create(context, device, &d, &memory, diag));
  ASSERT_FAILS(tn_bindless_image_create(memory, &d, &sampler, &image, diag), INVALID_ARGUMENT,
               "addressing mode 5");
  MUST(tn_bindless_memory_destroy(memory, d.type, diag));
}

static void test_usm(void **state) {
  (void)state;
  const tn_bindless_sampler sampler = {0};
  tn_bindless_description d = describe(10, 4, 0, 1, TN_CHANNEL_FP32);
  void *rows = NULL;
  size_t pitch = 0;
  uint64_t image = 0;
  MUST(tn_bindless_alloc_rows(context, device, 40, 4, &pitch, &rows, diag));
  assert_true(pitch >= 40 && pitch % 32 == 0);
  MUST(tn_bindless_image_create_of_usm(context, device, rows, pitch, &d, &sampler, &image, diag));
  assert_int_equal(resource.kind, TN_CU_RESOURCE_ROWS);
  assert_true(resource.of.rows.memory == (uintptr_t)rows && resource.of.rows.pitch == pitch);
  assert_true(resource.of.rows.width == 10 && resource.of.rows.height == 4);
  MUST(tn_bindless_image_destroy(context, device, image, 1, diag));
  ASSERT_FAILS(
      tn_bindless_image_create_of_usm(context, device, rows, 44, &d, &sampler, &image, diag),
      UNSUPPORTED, "pitch");
  ASSERT_FAILS(
      tn_bindless_image_create_of_usm(context, device, rows, 36, &d, &sampler, &image, diag),
      INVALID_ARGUMENT, "row pitch of an image is 36 bytes");
  ASSERT_FAILS(
      tn_bindless_image_create_of_usm(context, device, rows, 2 * pitch, &d, &sampler, &image, diag),
      INVALID_ARGUMENT, "end beyond");
  ASSERT_FAILS(
      tn_bindless_image_create_of_usm(context, device, rows, pitch, &d, NULL, &image, diag),
      UNSUPPORTED, "unsampled");
  d = describe(10, 0, 0, 2, TN_CHANNEL_FP32);
  MUST(tn_bindless_image_create_of_usm(context, device, rows, 0, &d, &sampler, &image, diag));
  assert_int_equal(resource.kind, TN_CU_RESOURCE_LINEAR);
  assert_int_equal(resource.of.linear.size, 80);
  MUST(tn_bindless_image_destroy(context, device, image, 1, diag));
  d = describe(4, 2, 2, 1, TN_CHANNEL_FP32);
  ASSERT_FAILS(
      tn_bindless_image_create_of_usm(context, device, rows, 64, &d, &sampler, &image, diag),
      UNSUPPORTED, "3 dimensions");
  assert_int_equal(image, 0);
  MUST(tn_usm_free(context, rows, diag));
}

static tn_command copy_command(tn_bindless_memory *image, void *memory, bool is_to_image,
                               const uint64_t origin[3], const uint64_t extent[3]) {
  const tn_rect there = {
      .memory = image, .offset = origin[0], .row_pitch = origin[1], .slice_pitch = origin[2]};
  const tn_rect here = {
      .memory = memory, .row_pitch = extent[0], .slice_pitch = extent[0] * extent[1]};
  return (tn_command){
      .struct_size = sizeof(tn_command),
      .kind = TN_COMMAND_COPY_RECT,
      .rect_src = is_to_image ? here : there,
      .rect_dst = is_to_image ? there : here,
      .rect_extent = {extent[0], extent[1], extent[2]},
      .flags = is_to_image ? TN_COMMAND_IMAGE_DESTINATION : TN_COMMAND_IMAGE_SOURCE};
}

// A box goes into an image and comes back, on a device with arrays and on one without.
static void copy_a_box(tn_context *in, tn_device *on, uint32_t flags) {
  tn_bindless_description d = describe(8, 4, 0, 1, TN_CHANNEL_UNSIGNED_INT8);
  d.type = TN_BINDLESS_ARRAY;
  d.layer_count = 3;
  tn_bindless_memory *image = NULL;
  tn_queue *queue = NULL;
  unsigned char all[96], box[12], seen[96];
  const uint64_t none[3] = {0, 0, 0};
  const uint64_t whole[3] = {8, 4, 3};
  const uint64_t origin[3] = {2, 1, 1};
  const uint64_t extent[3] = {3, 2, 2};
  memset(all, 1, sizeof(all));
  for (int i = 0; i < 12; i++) {
    box[i] = (unsigned char)(10 + i);
  }
  MUST(tn_bindless_memory_create(in, on, &d, &image, diag));
  MUST(tn_queue_create(in, on, flags, &queue, diag));
  tn_command commands[] = {copy_command(image, all, true, none, whole),
                           copy_command(image, box, true, origin, extent),
                           copy_command(image, seen, false, none, whole)};
  for (int i = 0; i < 3; i++) {
    tn_event *event = NULL;
    MUST(tn_queue_submit(queue, &commands[i], &event, diag));
    MUST(tn_event_wait(event, diag));
    assert_int_equal(tn_event_get_error(event, &failure), 0);
    tn_event_release(event);
  }
  for (size_t i = 0; i < sizeof(seen); i++) {
    const size_t x = i % 8 - 2, y = i / 8 % 4 - 1, z = i / 32 - 1;
    const bool is_in_box = x < 3 && y < 2 && z < 2;
    assert_int_equal(seen[i], is_in_box ? 10 + (z * 2 + y) * 3 + x : 1);
  }
  for (int i = 0; i < 3; i++) {
    uint64_t too_far[3] = {origin[0], origin[1], origin[2]};
    too_far[i] = whole[i] - 1;
    commands[1] = copy_command(image, box, true, too_far, extent);
    ASSERT_FAILS(tn_queue_submit(queue, &commands[1], NULL, diag), INVALID_ARGUMENT,
                 i == 0   ? "3 bytes of a row from 7 on"
                 : i == 1 ? "2 rows from 3"
                          : "2 slices from 2");
  }
  commands[0].rect_dst.memory = NULL;
  ASSERT_FAILS(tn_queue_submit(queue, &commands[0], NULL, diag), INVALID_ARGUMENT, "it is NULL");
  tn_queue_release(queue);
  MUST(tn_bindless_memory_destroy(image, d.type, diag));
}

static void test_copies(void **state) {
  (void)state;
  copy_a_box(context, device, TN_QUEUE_IN_ORDER);
  copy_a_box(context, device, 0);
  copy_a_box(of_cpu, cpu, TN_QUEUE_IN_ORDER);
  copy_a_box(of_cpu, cpu, 0);
}

static void test_copies_between_devices(void **state) {
  (void)state;
  const tn_bindless_description d = describe(4, 0, 0, 1, TN_CHANNEL_UNSIGNED_INT8);
  tn_bindless_memory *image = NULL;
  tn_queue *queue = NULL;
  unsigned char bytes[4] = {0};
  const uint64_t none[3] = {0, 0, 0};
  const uint64_t whole[3] = {4, 1, 1};
  MUST(tn_bindless_memory_create(of_cpu, cpu, &d, &image, diag));
  MUST(tn_queue_create(context, device, 0, &queue, diag));
  const tn_command command = copy_command(image, bytes, true, none, whole);
  ASSERT_FAILS(tn_queue_submit(queue, &command, NULL, diag), INVALID_ARGUMENT, "but the queue");
  tn_queue_release(queue);
  MUST(tn_bindless_memory_destroy(image, d.type, diag));
}

static void test_levels(void **state) {
  (void)state;
  tn_bindless_description d = describe(8, 2, 0, 1, TN_CHANNEL_FP32), seen;
  d.type = TN_BINDLESS_MIPMAP;
  d.level_count = 4;
  for (int i = 0; i < 2; i++) {
    tn_bindless_memory *memory = NULL, *level = NULL;
    uint64_t image = 0;
    tn_device *on = i == 0 ? device : cpu;
    MUST(tn_bindless_memory_create(i == 0 ? context : of_cpu, on, &d, &memory, diag));
    ASSERT_FAILS(tn_bindless_image_create(memory, &d, NULL, &image, diag), INVALID_ARGUMENT,
                 "cannot be an unsampled image");
    MUST(tn_bindless_memory_level(memory, 2, &level, diag));
    MUST(tn_bindless_memory_describe(level, &seen, diag));
    assert_true(seen.extent[0] == 2 && seen.extent[1] == 1 && seen.extent[2] == 0);
    assert_true(seen.type == TN_BINDLESS_STANDARD && seen.level_count == 1);
    MUST(tn_bindless_image_create(level, &seen, NULL, &image, diag));
    MUST(tn_bindless_image_destroy(i == 0 ? context : of_cpu, on, image, 0, diag));
    ASSERT_FAILS(tn_bindless_memory_level(memory, 4, &level, diag), INVALID_ARGUMENT, "level 4");
    assert_null(level);
    ASSERT_FAILS(tn_bindless_memory_destroy(memory, TN_BINDLESS_STANDARD, diag), INVALID_ARGUMENT,
                 "another image type");
    MUST(tn_bindless_memory_level(memory, 0, &level, diag));
    ASSERT_FAILS(tn_bindless_memory_destroy(level, TN_BINDLESS_STANDARD, diag), INVALID_ARGUMENT,
                 "a level of a mipmap");
    MUST(tn_bindless_memory_destroy(memory, d.type, diag));
  }
}

// The records that kernels on the CPU read.
static void test_records(void **state) {
  (void)state;
  const tn_bindless_description d = describe(5, 3, 2, 2, TN_CHANNEL_SNORM_INT16);
  const tn_bindless_sampler sampler = {.addressing = {1, 2, 3}, .is_linear = 1};
  tn_bindless_memory *memory = NULL;
  uint64_t image = 0;
  MUST(tn_bindless_memory_create(of_cpu, cpu, &d, &memory, diag));
  MUST(tn_bindless_image_create(memory, &d, &sampler, &image, diag));
  const tn_bindless_pixels *record = (const tn_bindless_pixels *)(uintptr_t)image;
  assert_true(record->kind == TN_PIXELS_SNORM && record->channel_size == 2);
  assert_true(record->channel_count == 2 && record->level_count == 1);
  assert_memory_equal(&record->sampler, &sampler, sizeof(sampler));
  assert_true(record->levels[0].row_pitch == 20 && record->levels[0].slice_pitch == 60);
  assert_true(record->levels[0].extent[0] == 5 && record->levels[0].extent[2] == 2);
  MUST(tn_bindless_image_destroy(of_cpu, cpu, image, 1, diag));
  ASSERT_FAILS(tn_bindless_image_destroy(of_cpu, cpu, image, 1, diag), INVALID_ARGUMENT,
               "destroyed already");
  ASSERT_FAILS(tn_bindless_image_destroy(of_cpu, cpu, 0, 1, diag), INVALID_ARGUMENT, "0x0");
  tn_bindless_description other = d;
  other.channel_type = TN_CHANNEL_SIGNED_INT16;
  MUST(tn_bindless_image_create(memory, &other, NULL, &image, diag));
  MUST(tn_bindless_image_destroy(of_cpu, cpu, image, 0, diag));
  other.channel_type = TN_CHANNEL_SIGNED_INT8;
  ASSERT_FAILS(tn_bindless_image_create(memory, &other, NULL, &image, diag), INVALID_ARGUMENT,
               "another description");
  MUST(tn_bindless_memory_destroy(memory, d.type, diag));
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    tn_bindless_description description;
    tn_status status;
    const char *text;
  } bad[] = {
      {{{0, 0, 0}, 1, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_INVALID_ARGUMENT, "1 pixel or more"},
      {{{4, 0, 2}, 1, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_INVALID_ARGUMENT, "1 pixel or more"},
      {{{1ull << 31, 0, 0}, 1, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_INVALID_ARGUMENT, "at most"},
      {{{4, 4, 0}, 5, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_INVALID_ARGUMENT, "1 to 4 channels"},
      {{{4, 4, 0}, 1, 15, 0, 1, 1, 0}, TN_INVALID_ARGUMENT, "channel type 15"},
      {{{4, 4, 0}, 3, 4, 0, 1, 1, 0}, TN_UNSUPPORTED, "packed"},
      {{{4, 4, 0}, 1, TN_CHANNEL_FP32, 5, 1, 1, 0}, TN_INVALID_ARGUMENT, "unknown image type"},
      {{{4, 4, 0}, 1, TN_CHANNEL_FP32, 0, 2, 1, 0}, TN_INVALID_ARGUMENT, "a mipmap has 2 levels"},
      {{{4, 4, 0}, 1, TN_CHANNEL_FP32, 1, 4, 1, 0}, TN_INVALID_ARGUMENT, "no levels after"},
      {{{4, 4, 0}, 1, TN_CHANNEL_FP32, 2, 1, 1, 0}, TN_INVALID_ARGUMENT, "2 layers or more"},
      {{{4, 4, 4}, 1, TN_CHANNEL_FP32, 2, 1, 2, 0}, TN_INVALID_ARGUMENT, "1 or 2 dimensions"},
      {{{4, 3, 0}, 1, TN_CHANNEL_FP32, 3, 1, 6, 0}, TN_INVALID_ARGUMENT, "square"},
      {{{4, 0, 0}, 1, TN_CHANNEL_FP32, 4, 1, 1, 0}, TN_INVALID_ARGUMENT, "gathering"},
      {{{4, 4, 0}, 3, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_UNSUPPORTED, "3 channels"},
      {{{40000, 0, 0}, 1, TN_CHANNEL_FP32, 0, 1, 1, 0}, TN_UNSUPPORTED, "support its size"},
  };
  tn_bindless_memory *memory = NULL;
  for (size_t i = 0; i < TN_COUNT(bad); i++) {
    assert_int_equal(
        tn_bindless_memory_create(context, device, &bad[i].description, &memory, &failure),
        bad[i].status);
    assert_non_null(strstr(failure.text, bad[i].text));
    assert_null(memory);
  }
  const tn_bindless_description d = describe(4, 4, 0, 1, TN_CHANNEL_FP32);
  ASSERT_FAILS(tn_bindless_memory_create(context, cpu, &d, &memory, diag), WRONG_CONTEXT,
               "not in the context");
  ASSERT_FAILS(tn_bindless_memory_create(context, device, NULL, &memory, diag), INVALID_ARGUMENT,
               "is NULL");
  ASSERT_FAILS(tn_bindless_memory_destroy(NULL, 0, diag), INVALID_ARGUMENT, "NULL");
  const tn_bindless_description large = describe(1 << 30, 1 << 30, 1 << 30, 4, TN_CHANNEL_FP32);
  ASSERT_FAILS(tn_bindless_memory_create(of_cpu, cpu, &large, &memory, diag), OUT_OF_MEMORY,
               "larger than any memory");
}

static void test_driver_failures(void **state) {
  (void)state;
  static const char *const functions[] = {"cuArray3DCreate_v2", "cuMipmappedArrayCreate",
                                          "cuMipmappedArrayGetLevel", "cuTexObjectCreate"};
  const tn_bindless_sampler sampler = {0};
  tn_bindless_description d = describe(4, 4, 0, 1, TN_CHANNEL_FP32);
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    char told[64];
    d.type = i == 0 ? TN_BINDLESS_STANDARD : TN_BINDLESS_MIPMAP;
    d.level_count = i == 0 ? 1 : 3;
    snprintf(told, sizeof(told), "%s:%d:2", functions[i], i == 2 ? 1 : 0);
    fake_cuda_fail(told);
    tn_bindless_memory *memory = NULL;
    uint64_t image = 0;
    tn_status status = tn_bindless_memory_create(context, device, &d, &memory, &failure);
    if (i == 3) {
      assert_int_equal(status, TN_OK);
      status = tn_bindless_image_create(memory, &d, &sampler, &image, &failure);
    }
    assert_int_equal(status, TN_OUT_OF_MEMORY);
    assert_non_null(strstr(failure.text, "cannot be made"));
    fake_cuda_fail(NULL);
    if (i == 3) {
      MUST(tn_bindless_memory_destroy(memory, d.type, diag));
    }
    assert_null(i == 3 ? NULL : memory);
    assert_int_equal(live_count, 0);
  }
}

static void test_facts(void **state) {
  (void)state;
  tn_bindless_facts facts;
  tn_bindless_get_facts(device, &facts);
  assert_int_equal(facts.row_pitch_alignment, 32);
  assert_int_equal(facts.most_linear_height, 65000);
  assert_true((facts.features & TN_BINDLESS_HAS_SEAMLESS_CUBEMAPS) != 0);
  assert_true((facts.features & TN_BINDLESS_SAMPLES_1D_USM) == 0);
  tn_bindless_get_facts(cpu, &facts);
  assert_true((facts.features & TN_BINDLESS_HAS_SEAMLESS_CUBEMAPS) == 0);
  assert_true((facts.features & TN_BINDLESS_HAS_3_CHANNELS) != 0);
  tn_bindless_get_facts(NULL, &facts);
  assert_int_equal(facts.features, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_textures),
      cmocka_unit_test(test_usm),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_copies_between_devices),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_driver_failures),
      cmocka_unit_test(test_facts),
  };
  return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
