// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, programs, kernels and buffers that the application made with OpenCL: what they become,
// which references they hold, and what is rejected. From the C API down to a stand-in for OpenCL's
// loader.
#include "adapter/opencl/opencl_driver.h"
#include "run/device/device.h"
#include "tenon/memory.h"
#include "tenon/native.h"
#include "unit/sched/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCES_OF_CONTEXT = 0x1080, REFERENCES_OF_PROGRAM = 0x1160 };
enum { REFERENCES_OF_KERNEL = 0x1192, REFERENCES_OF_MEMORY = 0x1105, SIZE = 64 };

static tn_cl_driver cl;
static tn_device *device;
static tn_cl_device handle;
static tn_cl_memory (*create_image)(tn_cl_context, tn_cl_bits, const tn_cl_image_format *,
                                    const void *, void *, tn_cl_int *);
static int (*count_objects)(void);
static int (*count_maps)(tn_cl_memory memory);
static tn_diag failure;

static uint64_t number(const void *object) { return (uint64_t)(uintptr_t)object; }

#define REFERENCES(get, object, what)                                                \
  __extension__({                                                                    \
    tn_cl_uint references_ = 0;                                                      \
    assert_int_equal(get(object, what, sizeof(references_), &references_, NULL), 0); \
    references_;                                                                     \
  })

#define MUST(expr)                             \
  do {                                         \
    if ((expr) != TN_OK) {                     \
      fail_msg("%s: %s", #expr, failure.text); \
    }                                          \
  } while (0)

#define REJECTED(expr, status, words)                              \
  do {                                                             \
    assert_int_equal(expr, status);                                \
    if (!strstr(failure.text, words)) {                            \
      fail_msg("\"%s\" does not say \"%s\"", failure.text, words); \
    }                                                              \
  } while (0)

static tn_cl_context make_context(void) {
  tn_cl_int result = 0;
  tn_cl_context made = cl.context_create(NULL, 1, &handle, NULL, NULL, &result);
  assert_non_null(made);
  return made;
}

static tn_cl_program make_program(tn_cl_context context) {
  static const unsigned char code[16] = "\x03\x02\x23\x07_ZTS3Add";
  tn_cl_int result = 0;
  tn_cl_program made = cl.program_from_il(context, code, sizeof(code), &result);
  assert_non_null(made);
  return made;
}

static int setup(void **state) {
  (void)state;
  size_t count = 0;
  uint64_t native = 0;
  MUST(tn_device_count(&count, &failure));
  assert_int_equal(count, 1);
  device = tn_device_at(0);
  MUST(tn_native_get_device(device, &native, &failure));
  tn_context *own = NULL;
  uint64_t started = 0;
  MUST(tn_context_create(&device, 1, &own, &failure));
  MUST(tn_native_get_context(own, device, &started, &failure));  // Tenon's own stays
  tn_context_release(own);
  handle = (tn_cl_device)(uintptr_t)native;  // NOLINT(performance-no-int-to-ptr)
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
#define FIND(field, symbol, result, parameters) \
  {                                             \
    void *found = dlsym(library, symbol);       \
    memcpy(&cl.field, &found, sizeof(found));   \
  }
  TN_CL_FUNCTIONS(FIND)
#undef FIND
  void *found = dlsym(library, "fake_opencl_objects");
  memcpy(&count_objects, &found, sizeof(found));
  found = dlsym(library, "clCreateImage");
  memcpy(&create_image, &found, sizeof(found));
  found = dlsym(library, "fake_opencl_maps");
  memcpy(&count_maps, &found, sizeof(found));
  return 0;
}

static void test_context(void **state) {
  (void)state;
  const int before = count_objects();
  tn_cl_context native = make_context();
  tn_context *context = NULL;
  tn_queue *queue = NULL;
  void *memory = NULL;
  uint64_t its = 0;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(native), &context, &failure));
  assert_true(REFERENCES(cl.context_info, native, REFERENCES_OF_CONTEXT) > 1);
  assert_int_equal(tn_context_device_count(context), 1);
  tn_device *own = tn_context_device_at(context, 0);
  assert_ptr_not_equal(own, device);
  assert_ptr_equal(tn_device_listed(own), device);
  assert_ptr_equal(tn_device_listed(device), device);
  MUST(tn_native_get_context(context, device, &its, &failure));
  assert_int_equal(its, number(native));
  // The listed device and the context's own stand for each other.
  MUST(tn_queue_create(context, device, TN_QUEUE_IN_ORDER, &queue, &failure));
  assert_ptr_equal(tn_queue_device(queue), own);
  MUST(tn_usm_alloc(context, device, TN_USM_DEVICE, SIZE, 0, &memory, &failure));
  MUST(tn_usm_free(context, memory, &failure));
  tn_queue_release(queue);
  tn_context_release(context);
  assert_int_equal(REFERENCES(cl.context_info, native, REFERENCES_OF_CONTEXT), 1);
  assert_int_equal(cl.context_release(native), 0);
  assert_int_equal(count_objects(), before);

  REJECTED(tn_native_make_context(TN_BACKEND_OPENCL, 0, &context, &failure), TN_INVALID_ARGUMENT,
           "native context is NULL");
  assert_null(context);
  struct tn_cl_device_handle *none = NULL;
  tn_cl_int result = 0;
  tn_cl_context empty =
      cl.context_create(NULL, 0, (const tn_cl_device *)&none, NULL, NULL, &result);
  REJECTED(tn_native_make_context(TN_BACKEND_OPENCL, number(empty), &context, &failure),
           TN_DEVICE_NOT_FOUND, "no device of the list is in the native context");
  assert_int_equal(cl.context_release(empty), 0);
  assert_int_equal(count_objects(), before);
}

// The pixels of an image are a buffer's, and described.
static void test_image(void **state) {
  (void)state;
  const int before = count_objects();
  tn_cl_context native = make_context();
  tn_cl_int result = 0;
  tn_cl_memory image =
      create_image(native, 1, &(tn_cl_image_format){TN_CL_RGBA, TN_CL_FLOAT}, NULL, NULL, &result);
  tn_cl_memory other = create_image(native, 1, &(tn_cl_image_format){TN_CL_RGBA + 5, TN_CL_FLOAT},
                                    NULL, NULL, &result);
  tn_cl_memory bytes = cl.buffer_create(native, TN_CL_MEM_READ_WRITE, SIZE, NULL, &result);
  tn_context *context = NULL;
  tn_buffer *buffer = NULL;
  tn_native_image what;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(native), &context, &failure));
  MUST(tn_native_make_image(context, number(image), 1, NULL, &what, &buffer, &failure));
  assert_int_equal(what.dimensions, 1);
  assert_int_equal(what.format, 9);  // r32g32b32a32_sfloat
  assert_int_equal(what.extent[0], 4);
  assert_int_equal(what.extent[1], 1);
  assert_int_equal(what.extent[2], 1);
  assert_int_equal(what.row_pitch, 64);
  assert_int_equal(what.slice_pitch, 64);
  assert_int_equal(tn_buffer_size(buffer), 64);
  assert_int_equal(count_maps(image), 1);
  tn_buffer_disown(buffer);
  assert_int_equal(count_maps(image), 0);
  REJECTED(tn_native_make_image(context, number(other), 1, NULL, &what, &buffer, &failure),
           TN_INVALID_ARGUMENT, "are none of sycl::image_format");
  REJECTED(tn_native_make_image(context, number(bytes), 1, NULL, &what, &buffer, &failure),
           TN_INVALID_ARGUMENT, "is a buffer, not an image: use make_buffer");
  REJECTED(tn_native_make_buffer(context, number(image), 4, NULL, &buffer, &failure),
           TN_INVALID_ARGUMENT, "is an image, not a buffer: use make_unsampled_image");
  REJECTED(tn_native_make_image(context, 0, 1, NULL, &what, &buffer, &failure), TN_INVALID_ARGUMENT,
           "make_sampled_image: the native memory object is NULL");
  REJECTED(tn_native_make_image(context, number(image), 2, NULL, &what, &buffer, &failure),
           TN_INVALID_ARGUMENT, "has 1 dimensions, not 2");
  assert_int_equal(count_maps(image) + count_maps(other) + count_maps(bytes), 0);
  tn_context_release(context);
  assert_int_equal(cl.memory_release(image), 0);
  assert_int_equal(cl.memory_release(other), 0);
  assert_int_equal(cl.memory_release(bytes), 0);
  assert_int_equal(cl.context_release(native), 0);
  assert_int_equal(count_objects(), before);
}

// A buffer's copy on the device keeps the context, whose last SYCL object is gone.
static void test_buffer(void **state) {
  (void)state;
  const int before = count_objects();
  tn_cl_context native = make_context();
  tn_cl_int result = 0;
  tn_cl_memory memory = cl.buffer_create(native, TN_CL_MEM_READ_WRITE, SIZE, NULL, &result);
  tn_context *context = NULL;
  tn_buffer *buffer = NULL;
  void *bytes = NULL;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(native), &context, &failure));
  REJECTED(tn_native_make_buffer(context, number(memory), 24, NULL, &buffer, &failure),
           TN_INVALID_ARGUMENT, "elements of 24 bytes");
  assert_null(buffer);
  assert_int_equal(count_maps(memory), 0);
  assert_int_equal(REFERENCES(cl.memory_info, memory, REFERENCES_OF_MEMORY), 1);
  MUST(tn_native_make_buffer(context, number(memory), 4, NULL, &buffer, &failure));
  assert_int_equal(tn_buffer_size(buffer), SIZE);
  assert_int_equal(count_maps(memory), 1);
  assert_int_equal(REFERENCES(cl.memory_info, memory, REFERENCES_OF_MEMORY), 2);
  MUST(tn_buffer_begin_host_access(buffer, TN_ACCESS_WRITE, &bytes, &failure));
  memset(bytes, 7, SIZE);
  tn_buffer_end_host_access(buffer, TN_ACCESS_WRITE);
  tn_context_release(context);  // the buffer keeps what it needs of it
  tn_buffer_set_write_back(buffer, NULL, NULL, NULL);
  tn_buffer_disown(buffer);
  assert_int_equal(count_maps(memory), 0);
  assert_int_equal(REFERENCES(cl.memory_info, memory, REFERENCES_OF_MEMORY), 1);
  assert_int_equal(REFERENCES(cl.context_info, native, REFERENCES_OF_CONTEXT), 1);

  tn_cl_context other = make_context();
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(other), &context, &failure));
  REJECTED(tn_native_make_buffer(context, number(memory), 4, NULL, &buffer, &failure),
           TN_INVALID_ARGUMENT, "belongs to another cl_context");
  REJECTED(tn_native_make_buffer(context, 0, 4, NULL, &buffer, &failure), TN_INVALID_ARGUMENT,
           "memory object is NULL");
  tn_context_release(context);
  assert_int_equal(cl.context_release(other), 0);
  assert_int_equal(cl.memory_release(memory), 0);
  assert_int_equal(cl.context_release(native), 0);
  assert_int_equal(count_objects(), before);
}

typedef struct arguments {
  uint64_t count;
  uint64_t unused;
  tn_kernel_arg list[1];
  struct {
    int32_t *p;
    int32_t add;
  } block;
} arguments;

static void launch(tn_context *context, tn_kernel *kernel, int32_t *memory) {
  tn_queue *queue = NULL;
  arguments args = {.count = 1,
                    .list = {{offsetof(arguments, block), sizeof(args.block), TN_ARG_VALUE, 0}},
                    .block = {memory, 3}};
  tn_command command = {.struct_size = sizeof(command),
                        .kind = TN_COMMAND_KERNEL,
                        .kernel = kernel,
                        .args = &args,
                        .arg_size = sizeof(args),
                        .dims = 1,
                        .global = {SIZE / 4, 1, 1}};
  MUST(tn_queue_create(context, device, TN_QUEUE_IN_ORDER, &queue, &failure));
  MUST(tn_queue_submit(queue, &command, NULL, &failure));
  MUST(tn_queue_wait(queue, &failure));
  args.count = 2;
  REJECTED(tn_queue_submit(queue, &command, NULL, &failure), TN_KERNEL_ARGUMENT,
           "has 1 arguments, but its argument block lists 2");
  args.count = 1;
  args.list[0].size = SIZE;  // past the end of the block: the adapter looks
  TN_IGNORE(tn_queue_submit(queue, &command, NULL, &failure), "the kernel does not run");
  MUST(tn_queue_wait(queue, &failure));
  tn_queue_release(queue);
}

static void test_kernel(void **state) {
  (void)state;
  const int before = count_objects();
  tn_cl_context native = make_context();
  tn_cl_program program = make_program(native);
  tn_cl_int result = 0;
  assert_int_equal(cl.program_build(program, 1, &handle, "", NULL, NULL), 0);
  tn_cl_kernel made = cl.kernel_create(program, "_ZTS3Add", &result);
  tn_context *context = NULL;
  tn_bundle *bundle = NULL;
  tn_kernel_id *id = NULL;
  tn_kernel *kernel = NULL;
  tn_kernel_arg argument;
  uint64_t its = 0;
  size_t count = 0;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(native), &context, &failure));
  MUST(tn_native_make_kernel(context, number(made), &bundle, &id, &failure));
  assert_true(REFERENCES(cl.kernel_info, made, REFERENCES_OF_KERNEL) > 1);
  assert_string_equal(tn_kernel_id_name(id), "_ZTS3Add");
  assert_int_equal(tn_bundle_is_native(bundle), 1);
  assert_int_equal(tn_bundle_kernel_count(bundle), 0);
  assert_int_equal(tn_bundle_has_kernel(bundle, id, device), 1);
  MUST(tn_native_get_programs(bundle, &its, 1, &count, &failure));
  assert_int_equal(count, 1);
  assert_int_equal(its, number(program));
  MUST(tn_bundle_get_kernel(bundle, id, device, &kernel, &failure));
  assert_int_equal(tn_kernel_is_native(kernel), 1);
  assert_int_equal(tn_kernel_arg_count(kernel), 1);
  REJECTED(tn_kernel_arg_at(kernel, 0, &argument, &failure), TN_INVALID_ARGUMENT,
           "does not describe its arguments");
  MUST(tn_native_get_kernel(kernel, TN_NATIVE_KERNEL, &its, &failure));
  assert_int_equal(its, number(made));
  int32_t memory[SIZE / 4] = {0};
  launch(context, kernel, memory);
  assert_int_equal(memory[0], 3);
  assert_int_equal(memory[SIZE / 4 - 1], 3);
  tn_bundle *both[] = {bundle, bundle};
  tn_bundle *joined = NULL;
  REJECTED(tn_bundle_join(both, 2, &joined, &failure), TN_UNSUPPORTED, "no device images to join");
  tn_kernel_release(kernel);
  tn_kernel_id_release(id);
  tn_bundle_release(bundle);
  assert_int_equal(REFERENCES(cl.kernel_info, made, REFERENCES_OF_KERNEL), 1);
  assert_int_equal(REFERENCES(cl.program_info, program, REFERENCES_OF_PROGRAM), 2);

  tn_cl_context other = make_context();
  tn_context *elsewhere = NULL;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(other), &elsewhere, &failure));
  REJECTED(tn_native_make_kernel(elsewhere, number(made), &bundle, &id, &failure),
           TN_INVALID_ARGUMENT, "belongs to another cl_context");
  REJECTED(tn_native_make_kernel(elsewhere, 0, &bundle, &id, &failure), TN_INVALID_ARGUMENT,
           "native kernel is NULL");
  tn_context_release(elsewhere);
  tn_context_release(context);
  assert_int_equal(cl.kernel_release(made), 0);
  assert_int_equal(cl.program_release(program), 0);
  assert_int_equal(cl.context_release(other), 0);
  assert_int_equal(cl.context_release(native), 0);
  assert_int_equal(count_objects(), before);
}

static void test_program(void **state) {
  (void)state;
  const int before = count_objects();
  tn_cl_context native = make_context();
  tn_context *context = NULL;
  tn_bundle *bundle = NULL;
  tn_cl_int result = 0;
  uint64_t its = 0;
  size_t count = 0;
  MUST(tn_native_make_context(TN_BACKEND_OPENCL, number(native), &context, &failure));
  tn_cl_program program = make_program(native);
  assert_null(cl.kernel_create(program, "_ZTS3Add", &result));
  MUST(tn_native_make_bundle(context, number(program), TN_BUNDLE_EXECUTABLE, &bundle, &failure));
  MUST(tn_native_get_programs(bundle, &its, 1, &count, &failure));
  assert_int_equal(its, number(program));
  assert_int_equal(REFERENCES(cl.program_info, program, REFERENCES_OF_PROGRAM), 2);
  tn_bundle_release(bundle);
  assert_int_equal(REFERENCES(cl.program_info, program, REFERENCES_OF_PROGRAM), 1);
  tn_cl_kernel kernel = cl.kernel_create(program, "_ZTS3Add", &result);
  assert_non_null(kernel);  // it was built
  assert_int_equal(cl.kernel_release(kernel), 0);
  assert_int_equal(cl.program_release(program), 0);

  program = make_program(native);
  assert_int_equal(cl.program_compile(program, 1, &handle, "", 0, NULL, NULL, NULL, NULL), 0);
  MUST(tn_native_make_bundle(context, number(program), TN_BUNDLE_EXECUTABLE, &bundle, &failure));
  MUST(tn_native_get_programs(bundle, &its, 1, &count, &failure));
  assert_int_not_equal(its, number(program));  // it was linked into another one
  tn_bundle_release(bundle);
  REJECTED(tn_native_make_bundle(context, number(program), TN_BUNDLE_OBJECT, &bundle, &failure),
           TN_UNSUPPORTED, "in state object cannot be made of a native program");
  REJECTED(tn_native_make_bundle(context, 0, TN_BUNDLE_EXECUTABLE, &bundle, &failure),
           TN_INVALID_ARGUMENT, "native program is NULL");
  assert_int_equal(cl.program_release(program), 0);
  tn_context_release(context);
  assert_int_equal(cl.context_release(native), 0);
  assert_int_equal(count_objects(), before);
}

int main(void) {
  setenv("ONEAPI_DEVICE_SELECTOR", "opencl:*", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_context), cmocka_unit_test(test_buffer),
                                     cmocka_unit_test(test_image), cmocka_unit_test(test_kernel),
                                     cmocka_unit_test(test_program)};
  return cmocka_run_group_tests_name("opencl_adopt", tests, setup, NULL);
}
