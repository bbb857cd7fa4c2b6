// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small extensions of DPC++'s: sub_group_mask with group_ballot, dot_acc, the names that function
// objects had before SYCL 2020, device globals of const arrays, pointers to kinds of USM.
// RUN: %tenonxx -fsycl -Wno-deprecated-declarations %s -o %t && %t
#include "Inputs/expect.hpp"

#include <sycl/ext/intel/experimental/kernel_properties.hpp>
#include <sycl/ext/intel/usm_pointers.hpp>
#include <sycl/ext/oneapi/dot_product.hpp>
#include <sycl/ext/oneapi/functional.hpp>
#include <sycl/ext/oneapi/sub_group_mask.hpp>

#if SYCL_EXT_ONEAPI_SUB_GROUP_MASK < 2 || !defined(SYCL_EXT_ONEAPI_DOT_ACCUMULATE) || \
    !defined(SYCL_EXT_ONEAPI_SUB_GROUP) || !defined(SYCL_EXT_INTEL_USM_ADDRESS_SPACES)
#error "a feature-test macro is missing"
#endif

namespace oneapi = sycl::ext::oneapi;

oneapi::experimental::device_global<const float[4]> table{-0.5, 1, 2.25f};

// There are no sub-groups on the host: a mask has all bits that there may be.
static void test_masks_of_host() {
  using mask = oneapi::sub_group_mask;
  EXPECT(mask().size() == mask::max_bits && mask().none());
  const mask some(0x8000'0001'0000'0002ull);
  EXPECT(some.size() == mask::max_bits && some[1] && some[32] && some[63] && some.count() == 3);
  const mask bytes(sycl::marray<unsigned char, 3>{1, 0, 0x80});
  EXPECT(bytes[0] && bytes[23] && bytes.count() == 2);
  EXPECT((~mask()).all() && (mask(1) << 63)[63]);
}
static void test_masks(sycl::queue &queue) {
  constexpr std::size_t count = 64;
  std::uint64_t *out = sycl::malloc_shared<std::uint64_t>(count, queue);
  queue
      .parallel_for(
          sycl::nd_range<1>(count, count),
          [=](sycl::nd_item<1> item) {
            const sycl::sub_group lanes = item.get_sub_group();
            const std::size_t lane = lanes.get_local_id()[0];
            sycl::ext::intel::experimental::set_kernel_properties(
                sycl::ext::intel::experimental::kernel_properties::use_large_grf);
            oneapi::sub_group_mask odd = oneapi::group_ballot(lanes, lane % 2 == 1);
            const std::uint32_t size = lanes.get_max_local_range()[0];
            bool is_right = odd.size() == size && odd.count() == size / 2 &&
                            odd.test(lane) == (lane % 2 == 1) && odd.any() == (size > 1) &&
                            !odd.all();
            is_right = is_right && (size < 2 || (odd.find_low()[0] == 1 &&
                                                 odd.find_high()[0] == size - 1));
            is_right = is_right && (odd | ~odd).all() && (odd & ~odd).none() &&
                       (odd ^ odd) != ~odd && oneapi::group_ballot(lanes).all();
            using builder = oneapi::detail::Builder;
            is_right = is_right &&
                       builder::createSubGroupMask<oneapi::sub_group_mask>(5u, 2).count() == 1;
            std::uint32_t bits = 0;
            odd.extract_bits(bits);
            is_right = is_right && (bits & 3) == (size > 1 ? 2u : 0u);
            odd.reset_low();
            is_right = is_right && odd.count() == (size < 2 ? 0 : size / 2 - 1);
            odd.reset();
            odd[lane] = true;
            is_right = is_right && odd.count() == 1 && odd[lane];
            odd.flip();
            odd.insert_bits(static_cast<unsigned char>(1));
            is_right = is_right && odd[0];
            out[item.get_global_id(0)] = is_right;
          })
      .wait();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT(out[i] == 1);
  }
  sycl::free(out, queue);
}

static void test_dot_products(sycl::queue &queue) {
  std::int32_t *out = sycl::malloc_shared<std::int32_t>(4, queue);
  queue
      .single_task([=] {
        const std::int32_t a = static_cast<std::int32_t>(0xff020304);  // -1, 2, 3, 4
        const std::uint32_t b = 0x02010101;
        out[0] = oneapi::dot_acc(a, a, 1);
        out[1] = oneapi::dot_acc(a, b, 1);
        out[2] = oneapi::dot_acc(0xff020304u, b, 1);
        out[3] = oneapi::dot_acc(sycl::vec<std::int8_t, 4>(4, 3, 2, -1),
                                 sycl::vec<std::uint8_t, 4>(1, 1, 1, 2), 1);
      })
      .wait();
  EXPECT(out[0] == 1 + 4 + 9 + 16 + 1);
  EXPECT(out[1] == -2 + 2 + 3 + 4 + 1);
  EXPECT(out[2] == 255 * 2 + 2 + 3 + 4 + 1);
  EXPECT(out[3] == out[1]);
  sycl::free(out, queue);
}

static void test_const_globals(sycl::queue &queue) {
  float *out = sycl::malloc_shared<float>(4, queue);
  queue
      .single_task([=] {
        for (int i = 0; i < 4; ++i) {
          out[i] = table[i];
        }
      })
      .wait();
  EXPECT(out[0] == -0.5f && out[1] == 1.0f && out[2] == 2.25f && out[3] == 0.0f);
  const float others[4] = {4, 3, 2, 1};
  queue.memcpy(table, others, sizeof others).wait();
  queue.single_task([=] { out[0] = table[3]; }).wait();
  EXPECT(out[0] == 1.0f);
  sycl::free(out, queue);
}

static void test_old_names(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(1, queue);
  queue
      .parallel_for(sycl::nd_range<1>(8, 8),
                    [=](sycl::nd_item<1> item) {
                      const oneapi::sub_group lanes = item.get_sub_group();
                      const int most = sycl::reduce_over_group(
                          item.get_group(), static_cast<int>(item.get_local_id(0)),
                          oneapi::maximum<>());
                      if (lanes.get_group_id()[0] == 0 && lanes.leader()) {
                        *out = oneapi::plus<int>()(most, oneapi::minimum<int>()(1, 2));
                      }
                    })
      .wait();
  EXPECT(*out == 8);
  sycl::free(out, queue);
}

static void test_usm_pointers(sycl::queue &queue) {
  namespace intel = sycl::ext::intel;
  int *memory = sycl::malloc_device<int>(1, queue);
  int *shared = sycl::malloc_shared<int>(1, queue);
  queue
      .single_task([=] {
        const intel::device_ptr<int> pointer(memory);
        *pointer = 4;
        const sycl::global_ptr<int> global = pointer;
        const intel::raw_device_ptr<int> back(global);
        const intel::host_ptr<int> host(shared);
        *host = *back + 1;
      })
      .wait();
  EXPECT(*shared == 5);
  sycl::free(memory, queue);
  sycl::free(shared, queue);
}

int main() {
  sycl::queue queue;
  test_masks_of_host();
  test_masks(queue);
  test_dot_products(queue);
  test_const_globals(queue);
  test_old_names(queue);
  test_usm_pointers(queue);
  return failures;
}
