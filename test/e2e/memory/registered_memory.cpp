// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the program's own as USM of the host: kernels, copies, queries, pages that are only
// read, errors.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace ex = sycl::ext::oneapi::experimental;
static_assert(SYCL_EXT_ONEAPI_REGISTER_HOST_MEMORY == 1);

static void use(sycl::queue &q, std::size_t page) {
  const sycl::context context = q.get_context();
  const std::size_t size = 4 * page, count = size / sizeof(int);
  // The page behind is the program's own and is not registered.
  int *data = static_cast<int *>(std::aligned_alloc(page, size + page));
  int *there = sycl::malloc_device<int>(count, q);
  EXPECT(sycl::get_pointer_type(data, context) == sycl::usm::alloc::unknown);
  ex::register_host_memory(data, size, context);
  EXPECT(sycl::get_pointer_type(data, context) == sycl::usm::alloc::host);
  EXPECT(sycl::get_pointer_type(data + count - 1, context) == sycl::usm::alloc::host);
  EXPECT(sycl::get_pointer_type(data + count, context) == sycl::usm::alloc::unknown);
  EXPECT(sycl::get_pointer_device(data + 5, context) == context.get_devices()[0]);
  q.parallel_for(count, [=](sycl::id<1> i) { data[i] = 3 * static_cast<int>(i[0]); }).wait();
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    right = right && data[i] == 3 * static_cast<int>(i);
  }
  EXPECT(right);
  q.copy(data, there, count).wait();
  q.fill(data, 0, count).wait();
  q.copy(there, data, count).wait();
  EXPECT(data[count - 1] == 3 * static_cast<int>(count - 1));
  EXPECT_ERRC(invalid, sycl::free(data, context));
  EXPECT_ERRC(runtime, ex::register_host_memory(data + page / sizeof(int), page, context));
  EXPECT_ERRC(runtime, ex::unregister_host_memory(data + page / sizeof(int), context));
  ex::unregister_host_memory(data, context);
  EXPECT_ERRC(runtime, ex::unregister_host_memory(data, context));
  EXPECT(sycl::get_pointer_type(data, context) == sycl::usm::alloc::unknown);
  EXPECT(data[7] == 21);
  // Again, and with another context.
  ex::register_host_memory(data, page, context, ex::properties{});
  ex::unregister_host_memory(data, context);
  const sycl::context other(q.get_device());
  ex::register_host_memory(data, size, other);
  EXPECT(sycl::get_pointer_type(data, context) != sycl::usm::alloc::host ||
         q.get_backend() == sycl::backend::ext_oneapi_cuda);
  EXPECT_ERRC(runtime, ex::unregister_host_memory(data, context));
  ex::unregister_host_memory(data, other);
  sycl::free(there, q);
  std::free(data);
}

static void read_only_pages(sycl::queue &q, std::size_t page) {
  void *pages = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int *data = static_cast<int *>(pages);
  data[3] = 42;
  EXPECT(mprotect(pages, page, PROT_READ) == 0);
  int *seen = sycl::malloc_shared<int>(1, q);
  bool is_taken = true;
  try {
    ex::register_host_memory(pages, page, q.get_context(), ex::properties{ex::read_only});
  } catch (const sycl::exception &e) {
    // Not every driver takes them.
    EXPECT(e.code() == sycl::errc::runtime && q.get_backend() != sycl::backend::tenon_cpu);
    is_taken = false;
  }
  if (is_taken) {
    q.single_task([=] { *seen = data[3]; }).wait();
    EXPECT(*seen == 42);
    ex::unregister_host_memory(pages, q.get_context());
    ex::register_host_memory(pages, page, q.get_context(), ex::read_only);
    ex::unregister_host_memory(pages, q.get_context());
  }
  sycl::free(seen, q);
  munmap(pages, page);
}

static void refuse(sycl::queue &q, std::size_t page) {
  const sycl::context context = q.get_context();
  char *data = static_cast<char *>(std::aligned_alloc(page, 2 * page));
  EXPECT_ERRC(invalid, ex::register_host_memory(nullptr, page, context));
  EXPECT_ERRC(invalid, ex::register_host_memory(data, 0, context));
  EXPECT_ERRC(invalid, ex::register_host_memory(data, page - 1, context));
  EXPECT_ERRC(invalid, ex::register_host_memory(data + 64, page, context));
  EXPECT_ERRC(invalid, ex::register_host_memory(data, ~std::size_t{0} / page * page, context));
  std::free(data);
}

int main() {
  sycl::queue q;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char *data = static_cast<char *>(std::aligned_alloc(page, page));
  if (q.get_device().has(sycl::aspect::ext_oneapi_register_host_memory)) {
    use(q, page);
    read_only_pages(q, page);
    refuse(q, page);
  } else {
    EXPECT_ERRC(feature_not_supported, ex::register_host_memory(data, page, q.get_context()));
    EXPECT_ERRC(feature_not_supported, ex::unregister_host_memory(data, q.get_context()));
  }
  std::free(data);
  return failures;
}
