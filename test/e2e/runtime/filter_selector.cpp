// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices by a text; pointers by address spaces. Source: the SYCL extensions
// sycl_ext_oneapi_filter_selector and sycl_ext_oneapi_address_cast.
// RUN: %tenonxx -fsycl -Wno-deprecated-declarations %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <sycl/ext/oneapi/experimental/address_cast.hpp>
#include <sycl/ext/oneapi/filter_selector.hpp>

#include <cstring>

using sycl::ext::oneapi::filter_selector;
static_assert(SYCL_EXT_INTEL_DEVICE_INFO == 9);

static bool is_chosen(const sycl::device &device, const char *filter) {
  return filter_selector(filter)(device) >= 0;
}

static void filters(const sycl::device &device) {
  const bool is_cpu = device.is_cpu();
  EXPECT(is_chosen(device, "cpu") == is_cpu);
  EXPECT(is_chosen(device, "gpu") == device.is_gpu());
  EXPECT(is_chosen(device, "gpu,cpu,accelerator"));
  EXPECT(!is_chosen(device, "host"));
  EXPECT(!is_chosen(device, "hip:gpu:7, level_zero"));
  const auto all = sycl::device::get_devices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const sycl::device first(filter_selector(std::to_string(i)));
    EXPECT(first == all[i]);
    EXPECT(is_chosen(all[i], std::to_string(all.size()).c_str()) == false);
  }
  const char *kind = is_cpu ? "cpu" : "gpu";
  const sycl::queue queue{filter_selector(kind)};
  EXPECT(queue.get_device().is_cpu() == is_cpu);
  EXPECT(filter_selector(std::string(kind) + ":0").select_device().is_cpu() == is_cpu);
}

static void wrong_filters() {
  for (const char *wrong : {"", "fast", "cpu:gpu", "0:cpu", "cuda:cuda", "cpu:-1", "cpu,", "1:2"}) {
    try {
      const filter_selector made{std::string(wrong)};
      EXPECT(!"a filter");
    } catch (const sycl::exception &e) {
      EXPECT(e.code() == sycl::errc::runtime);
      EXPECT(std::strstr(e.what(), "the filter of devices") != nullptr);
    }
  }
}

static void casts(sycl::queue queue) {
  namespace ex = sycl::ext::oneapi::experimental;
  using sycl::access::address_space;
  int *data = sycl::malloc_shared<int>(2, queue);
  data[0] = 5;
  queue
      .single_task([=] {
        int own = 1;
        sycl::multi_ptr<int, address_space::generic_space, sycl::access::decorated::no> any(data);
        const auto global = ex::static_address_cast<address_space::global_space>(data);
        const bool is_right =
            *global == 5 && *ex::static_address_cast<address_space::global_space>(any) == 5 &&
            ex::dynamic_address_cast<address_space::global_space>(any).get() == data &&
            ex::dynamic_address_cast<address_space::local_space>(data).get() == nullptr &&
            ex::dynamic_address_cast<address_space::private_space>(&own).get() != nullptr;
        data[1] = is_right;
      })
      .wait();
  EXPECT(data[1] == 1);
  sycl::free(data, queue);
}

int main() {
  const sycl::queue queue;
  filters(queue.get_device());
  wrong_filters();
  casts(queue);
  return failures;
}
