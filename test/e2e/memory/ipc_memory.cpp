// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two processes on one allocation: the program starts itself with the handle, and what one writes
// the other reads. Devices that share nothing say so.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace ipc = sycl::ext::oneapi::experimental::ipc;
constexpr int count = 1000, first = 100;

static std::string to_text(const ipc::handle_data_t &data) {
  std::string text;
  for (const std::byte byte : data) {
    text += "0123456789abcdef"[std::to_integer<int>(byte >> 4)];
    text += "0123456789abcdef"[std::to_integer<int>(byte & std::byte{15})];
  }
  return text;
}

static ipc::handle_data_t from_text(const std::string &text) {
  ipc::handle_data_t data;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    data.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return data;
}

// In the second process, from the element `first` on.
static int use(const std::string &text) {
  sycl::queue q;
  const ipc::handle_data_t data = from_text(text);
  int *there = static_cast<int *>(ipc::memory::open(data, q.get_context(), q.get_device()));
  int *again = static_cast<int *>(ipc::memory::open(data));
  EXPECT(again == there);
  EXPECT(sycl::get_pointer_type(there, q.get_context()) == sycl::usm::alloc::device);
  EXPECT(sycl::get_pointer_device(there, q.get_context()) == q.get_device());
  EXPECT_ERRC(invalid, sycl::free(there - first, q));
  int values[count - first];
  q.memcpy(values, there, sizeof(values)).wait();
  for (int i = 0; i < count - first; ++i) {
    EXPECT(values[i] == (i + first) * 3);
  }
  q.parallel_for(count - first, [=](sycl::id<1> i) { there[i] += 1; }).wait();
  ipc::memory::close(there, q.get_context());
  ipc::memory::close(again);
  EXPECT_ERRC(invalid, ipc::memory::close(there));
  return failures;
}

static void share(sycl::queue &q, const char *program) {
  int *memory = sycl::malloc_device<int>(count, q);
  q.parallel_for(count, [=](sycl::id<1> i) { memory[i] = static_cast<int>(i[0]) * 3; }).wait();
  ipc::handle handle = ipc::memory::get(memory + first, q.get_context());
  const std::string text = to_text(handle.data());
  EXPECT(handle.data_view().size() * 2 == text.size());
  const pid_t child = vfork();
  if (child == 0) {
    execl(program, program, text.c_str(), static_cast<char *>(nullptr));
    _exit(127);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  int values[count];
  q.memcpy(values, memory, sizeof(values)).wait();
  for (int i = 0; i < count; ++i) {
    EXPECT(values[i] == i * 3 + (i >= first));
  }
  // In the same process it is the pointer itself.
  EXPECT(ipc::memory::open(handle.data(), q.get_context(), q.get_device()) == memory + first);
  ipc::memory::close(memory + first, q.get_context());
  ipc::memory::put(handle, q.get_context());
  int *of_host = sycl::malloc_host<int>(1, q);
  EXPECT_ERRC(invalid, ipc::memory::get(of_host, q.get_context()));
  EXPECT_ERRC(invalid, ipc::memory::open(ipc::handle_data_t(10)));
  sycl::free(of_host, q);
  sycl::free(memory, q);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    return use(argv[1]);
  }
  sycl::queue q;
  if (q.get_device().has(sycl::aspect::ext_oneapi_ipc_memory)) {
    share(q, argv[0]);
  } else {
    int *memory = sycl::malloc_device<int>(1, q);
    EXPECT_ERRC(feature_not_supported, ipc::memory::get(memory, q.get_context()));
    EXPECT_ERRC(feature_not_supported, ipc::memory::open(ipc::handle_data_t(128)));
    sycl::free(memory, q);
  }
  return failures;
}
