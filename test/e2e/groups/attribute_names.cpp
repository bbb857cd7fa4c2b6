// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions may have the names of kernel attributes; attributes of the scopes that DPC++ takes have
// effect, on lines of their own and in headers.
// RUN: %tenonxx -fsycl -Wall -Werror -include %S/Inputs/attribute_names.hpp %s -o %t && %t
// RUN: %tenonxx -fsycl -fno-sycl-rdc %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include "Inputs/attribute_names.hpp"

static int reqd_work_group_size(int value) { return value; }
namespace mine {
struct device {
  bool device_has(int value) const { return value > 1; }
  int vec_type_hint() const { return 7; }
};
static int reqd_sub_group_size(int left, int right) { return left + right; }
static int work_group_size_hint() { return 3; }
static int intel(int value) { return value; }
}  // namespace mine

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(3, q);
  const auto first = [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(8)]] {
    out[0] = reqd_work_group_size(3) + mine::device().device_has(2);
  };
  const auto second = [=](sycl::nd_item<1> item)
                          [[sycl::reqd_sub_group_size(32)]]
                          [[intel::reqd_work_group_size(1, 1, 32)]] {
                            out[1] = item.get_sub_group().get_max_local_range()[0];
                            out[2] = mine::reqd_sub_group_size(1, 2) + mine::intel(1);
                          };
  q.parallel_for(sycl::nd_range<1>(8, 8), first).wait();
  q.parallel_for(sycl::nd_range<1>(32, 32), second).wait();
  EXPECT(out[0] == 4 && out[1] == 32 && out[2] == 4);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(4, 4), first));
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(16, 16), second));
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(16, 16), from_header()));
  EXPECT(mine::work_group_size_hint() + mine::device().vec_type_hint() == 10);
  sycl::free(out, q);
  return failures;
}
