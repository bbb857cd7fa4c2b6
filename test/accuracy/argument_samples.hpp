// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments that functions are measured at: all of a type, a stride of them, or random ones.
#ifndef TEST_ACCURACY_ARGUMENT_SAMPLES_HPP
#define TEST_ACCURACY_ARGUMENT_SAMPLES_HPP

#include "function_table.h"

#include <cstddef>
#include <cstdint>

namespace accuracy {

enum class number_type { f32, f64, f16 };

constexpr int type_count = 3;
extern const accuracy_format formats[type_count];

inline const accuracy_format &format_of(number_type type) {
  return formats[static_cast<int>(type)];
}
inline std::size_t size_of(number_type type) {
  return type == number_type::f32 ? 4 : type == number_type::f64 ? 8 : 2;
}

// Numbers by their bits.
double number_of_bits(number_type type, std::uint64_t bits);
std::uint64_t bits_of_number(number_type type, double number);

// What a row takes.
int arity_of(accuracy_row row);  // 1 to 3, without an int
bool takes_int(accuracy_row row);

// How often the numbers of a type are tried: `count` of them, or all of x, or all pairs.
struct sampling {
  accuracy_row row;
  number_type type;
  std::uint64_t count;
  enum { all_of_x, all_pairs, strided, random } how;
};

// How a row is sampled with up to `unary_count` arguments of one number and `count` of more.
sampling make_sampling(accuracy_row row, number_type type, std::uint64_t unary_count,
                       std::uint64_t count, bool has_all_pairs);

// The arguments of place `index`, always the same.
accuracy_arguments arguments_at(const sampling &from, std::uint64_t index);
// Of places `first` and on.
void arguments_from(const sampling &from, std::uint64_t first, accuracy_arguments *arguments,
                    std::size_t count);

}  // namespace accuracy

#endif
