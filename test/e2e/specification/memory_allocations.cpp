// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory: devices outside of the context, alignment, sizes of zero, pointer queries,
// the allocator, commands on memory. Source: SYCL 2020 sections 4.8.3, 4.8.4.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <cstdint>
#include <vector>

using sycl::usm::alloc;

template <class T>
static bool is_aligned(const T *pointer, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  const sycl::context context = q.get_context();

  // Kinds, devices and pointers into the middle.
  char *memory[] = {sycl::malloc_device<char>(64, device, context),
                    sycl::malloc_host<char>(64, context),
                    sycl::malloc_shared<char>(64, device, context)};
  const alloc kinds[] = {alloc::device, alloc::host, alloc::shared};
  for (int i = 0; i < 3; ++i) {
    EXPECT(memory[i]);
    EXPECT(sycl::get_pointer_type(memory[i], context) == kinds[i]);
    EXPECT(sycl::get_pointer_type(memory[i] + 63, context) == kinds[i]);
    EXPECT(sycl::get_pointer_device(memory[i] + 8, context) ==
           (kinds[i] == alloc::host ? context.get_devices()[0] : device));
  }
  int local = 0;
  EXPECT(sycl::get_pointer_type(&local, context) == alloc::unknown);
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(&local, context));
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(nullptr, context));
  EXPECT(sycl::get_pointer_type(nullptr, context) == alloc::unknown);
  const sycl::context other(device);
  EXPECT(sycl::get_pointer_type(memory[0], other) == alloc::unknown);
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(memory[0], other));
  for (char *one : memory) {
    sycl::free(one, context);
    EXPECT(sycl::get_pointer_type(one, context) == alloc::unknown);
  }
  sycl::free(nullptr, context);
  sycl::free(nullptr, q);

  // Parameterized functions, by queue and by device.
  for (const alloc kind : kinds) {
    int *a = sycl::malloc<int>(4, q, kind), *b = sycl::malloc<int>(4, device, context, kind);
    void *c = sycl::malloc(16, q, kind), *d = sycl::malloc(16, device, context, kind);
    EXPECT(
        sycl::get_pointer_type(a, context) == kind && sycl::get_pointer_type(b, context) == kind &&
        sycl::get_pointer_type(c, context) == kind && sycl::get_pointer_type(d, context) == kind);
    int *e = sycl::aligned_alloc<int>(256, 4, q, kind);
    void *f = sycl::aligned_alloc(1024, 16, device, context, kind);
    EXPECT(is_aligned(e, 256) && is_aligned(f, 1024));
    for (void *one :
         {static_cast<void *>(a), static_cast<void *>(b), c, d, static_cast<void *>(e), f}) {
      sycl::free(one, q);
    }
    // Nothing is allocated, or something that can be given back.
    sycl::free(sycl::malloc(0, q, kind), q);
    sycl::free(sycl::aligned_alloc(64, 0, q, kind), q);
    EXPECT(sycl::malloc(SIZE_MAX / 2, q, kind) == nullptr);
    EXPECT(sycl::malloc<int>(SIZE_MAX / 2, q, kind) == nullptr);  // the size overflows
  }
  // Alignments that the memory cannot have give no memory, or more than they ask for.
  if (void *odd = sycl::aligned_alloc_device(48, 16, q)) {
    EXPECT(is_aligned(static_cast<char *>(odd), 16));
    sycl::free(odd, q);
  }
  int *defaulted = sycl::aligned_alloc_shared<int>(0, 4, q);
  EXPECT(defaulted && is_aligned(defaulted, alignof(int)));
  sycl::free(defaulted, q);
  struct alignas(128) wide {
    char bytes[128];
  };
  for (wide *one : {sycl::malloc_shared<wide>(1, q), sycl::malloc_host<wide>(1, q),
                    sycl::malloc_device<wide>(1, q)}) {
    EXPECT(is_aligned(one, alignof(wide)));
    sycl::free(one, q);
  }

  // The device has to be in the context, or a part of one that is.
  if (device.get_info<sycl::info::device::partition_max_sub_devices>() > 1) {
    const auto parts =
        device.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
    const sycl::context first(parts[0]);
    EXPECT_ERRC(invalid, (void)sycl::malloc_device(16, parts[1], first));
    EXPECT_ERRC(invalid, (void)sycl::malloc_shared(16, device, first));
    EXPECT_ERRC(invalid, (void)sycl::aligned_alloc_device(16, 16, parts[1], first));
    EXPECT_ERRC(invalid, (void)sycl::malloc(16, parts[1], first, alloc::device));
    EXPECT_ERRC(invalid, (void)sycl::malloc<int>(16, parts[1], first, alloc::shared));
    void *host = sycl::malloc(16, parts[1], first, alloc::host);  // the device is ignored
    EXPECT(host);
    sycl::free(host, first);
    int *shared = sycl::malloc_shared<int>(4, parts[0], context);
    EXPECT(shared && sycl::get_pointer_device(shared, context) == parts[0]);
    sycl::free(shared, context);
    using allocator = sycl::usm_allocator<int, alloc::shared>;
    EXPECT_ERRC(invalid, (void)allocator(first, parts[1]));
    (void)sycl::usm_allocator<int, alloc::host>(first, parts[1]);
  }

  // The allocator.
  using allocator = sycl::usm_allocator<int, alloc::shared>;
  using host_allocator = sycl::usm_allocator<int, alloc::host, 256>;
  static_assert(!std::is_default_constructible_v<allocator> &&
                std::is_copy_constructible_v<allocator> &&
                std::is_nothrow_copy_constructible_v<allocator> &&
                !std::is_constructible_v<sycl::usm_allocator<int, alloc::shared>, int>);
  const allocator one(q), same(context, device);
  EXPECT(one == same && !(one != same));
  EXPECT(one == (sycl::usm_allocator<char, alloc::shared>(one)));
  EXPECT(one != allocator(other, device));
  EXPECT((sycl::usm_allocator<int, alloc::shared>(q)) != (host_allocator(q)));
  std::vector<int, allocator> list(16, 3, one);
  EXPECT(sycl::get_pointer_type(list.data(), context) == alloc::shared);
  int *data = list.data();
  q.parallel_for(16, [=](sycl::id<1> i) { data[i] += 1; }).wait();
  EXPECT(list[15] == 4);
  std::vector<int, host_allocator> aligned(4, 0, host_allocator(q));
  EXPECT(is_aligned(aligned.data(), 256));
  using rebound = std::allocator_traits<host_allocator>::rebind_alloc<char>;
  static_assert(std::is_same_v<rebound, sycl::usm_allocator<char, alloc::host, 256>>);

  // Commands on memory of each kind, and commands of nothing.
  std::vector<int> source(64), result(64, -1);
  for (int i = 0; i < 64; ++i) {
    source[i] = i;
  }
  for (const alloc kind : kinds) {
    int *target = sycl::malloc<int>(64, q, kind);
    sycl::event filled = q.fill(target, 9, 64);
    sycl::event set = q.memset(target, 0xff, 4, filled);
    sycl::event copied = q.copy(source.data() + 2, target + 2, 62, {filled, set});
    q.memcpy(result.data(), target, 64 * sizeof(int), copied).wait();
    EXPECT(result[0] == -1 && result[1] == 9 && result[2] == 2 && result[63] == 63);
    q.memcpy(target, target, 0).wait();
    q.prefetch(target, 64 * sizeof(int), copied).wait();
    q.mem_advise(target, 64 * sizeof(int), 0, {copied}).wait();
    sycl::free(target, q);
  }
  return failures != 0;
}
