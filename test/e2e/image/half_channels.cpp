// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images with channels of 16-bit floating point, on devices without aspect::fp16 as well: each of
// the numbers is read and written, and stays what it is.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <cmath>
#include <numeric>
#include <sycl/sycl.hpp>
#include <vector>

int main() {
  constexpr std::size_t count = 65536 / 4;
  constexpr auto format = sycl::image_format::r16b16g16a16_sfloat;
  std::vector<std::uint16_t> bits(4 * count), copied(bits);
  std::iota(bits.begin(), bits.end(), std::uint16_t(0));
  sycl::queue q;
  sycl::buffer<sycl::float4> values{sycl::range<1>(count)};
  {
    sycl::unsampled_image<1> in(bits.data(), format, sycl::range<1>(count));
    sycl::unsampled_image<1> out(copied.data(), format, sycl::range<1>(count));
    q.submit([&](sycl::handler &cgh) {
      sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read> from(in, cgh);
      sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::write> to(out, cgh);
      sycl::accessor read(values, cgh, sycl::write_only);
      cgh.parallel_for(count, [=](sycl::id<1> i) {
        const sycl::float4 pixel = from.read(int(i));
        read[i] = pixel;
        to.write(int(i), pixel);
      });
    });
  }
  sycl::host_accessor read(values, sycl::read_only);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const float expected = sycl::bit_cast<sycl::half>(bits[i]);
    const float found = read[i / 4][int(i % 4)];
    if (std::isnan(expected)) {
      EXPECT(std::isnan(found) && (copied[i] & 0x7fff) > 0x7c00);
    } else {
      EXPECT(found == expected && copied[i] == bits[i]);
    }
  }
  return failures;
}
