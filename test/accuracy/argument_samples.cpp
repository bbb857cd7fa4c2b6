// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments by a counter, so that threads need no common state and a run can be repeated.
#include "argument_samples.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>

namespace accuracy {

const accuracy_format formats[type_count] = {
    {"float", 24, -126, 127}, {"double", 53, -1022, 1023}, {"half", 11, -14, 15}};

double number_of_bits(number_type type, std::uint64_t bits) {
  if (type == number_type::f64) {
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }
  if (type == number_type::f32) {
    const auto low = static_cast<std::uint32_t>(bits);
    float number = 0;
    std::memcpy(&number, &low, sizeof number);
    return number;
  }
  const auto low = static_cast<std::uint16_t>(bits);
  _Float16 number = 0;
  std::memcpy(&number, &low, sizeof number);
  return static_cast<double>(number);
}

std::uint64_t bits_of_number(number_type type, double number) {
  if (type == number_type::f64) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
  }
  if (type == number_type::f32) {
    const auto narrow = static_cast<float>(number);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  const auto narrow = static_cast<_Float16>(number);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

int arity_of(accuracy_row row) {
  switch (row) {
#define ARITY(name, ...) case ROW_##name:
    ROWS_OF_X_Y(ARITY)
    FLOAT_ROWS_OF_X_Y(ARITY)
    return 2;
    ROWS_OF_X_Y_Z(ARITY)
    return 3;
#undef ARITY
    default:
      return 1;
  }
}

bool takes_int(accuracy_row row) { return row == ROW_ldexp || row == ROW_pown || row == ROW_rootn; }

sampling make_sampling(accuracy_row row, number_type type, std::uint64_t unary_count,
                       std::uint64_t count, bool has_all_pairs) {
  const int arity = arity_of(row);
  if (arity == 1 && !takes_int(row) && type != number_type::f64) {
    const std::uint64_t all = type == number_type::f32 ? std::uint64_t(1) << 32 : 65536;
    return {row, type, std::min(all, unary_count),
            unary_count >= all ? sampling::all_of_x : sampling::strided};
  }
  if (type == number_type::f16 && arity == 2 && has_all_pairs) {
    return {row, type, std::uint64_t(1) << 32, sampling::all_pairs};
  }
  return {row, type, count, sampling::random};
}

namespace {

// A sequence of random numbers for one place (splitmix64).
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int count) { return static_cast<int>((next() >> 33) % static_cast<unsigned>(count)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // 0 to 1
  double sign() { return next() >> 63 ? -1.0 : 1.0; }

 private:
  std::uint64_t state;
};

constexpr int special_count = 26;

double special(const accuracy_format &f, int which) {
  const double tiny = std::ldexp(1.0, f.least - f.digits + 1), least = std::ldexp(1.0, f.least);
  const double unit = std::ldexp(1.0, 1 - f.digits);
  const double most = (2 - unit) * std::ldexp(1.0, f.most);
  const double positive[special_count / 2] = {
      0.0, tiny, least - tiny, least, 0.5, 1 - unit / 2, 1, 1 + unit, 1.5, 2, 3, most, HUGE_VAL};
  return which >= special_count ? std::nan("")
         : which % 2            ? -positive[which / 2]
                                : positive[which / 2];
}

double with_exponent(random_source &random, const accuracy_format &f, int low, int high) {
  const int exponent =
      random.between(std::max(low, f.least - f.digits + 1), std::min(high, f.most));
  return random.sign() * std::ldexp(1 + random.unit(), exponent);
}

double any_bits(random_source &random, number_type type) {
  return number_of_bits(type, random.next());
}

// Signaling NaNs become quiet: SYCL has none.
double rounded(number_type type, double x) {
  return std::isnan(x) ? std::nan("") : number_of_bits(type, bits_of_number(type, x));
}

// A few units in the last place away.
double neighbor(random_source &random, number_type type, double x) {
  return number_of_bits(
      type, bits_of_number(type, x) + static_cast<std::uint64_t>(random.between(-3, 3)));
}

int exponent_of(double x, const accuracy_format &f) {
  return x == 0 || !std::isfinite(x) ? 0 : std::max(std::ilogb(x), f.least - f.digits + 1);
}

// One number: of all exponents, of moderate size, and where functions have zeros, poles and edges.
double single(random_source &random, number_type type) {
  const accuracy_format &f = format_of(type);
  constexpr double pi = 3.14159265358979323846;
  switch (random.below(8)) {
    case 0:
      return random.below(4) != 0 ? any_bits(random, type)
                                  : with_exponent(random, f, f.least - f.digits, f.least + 2);
    case 1:
    case 2:
      return with_exponent(random, f, -8, 8);
    case 3:
      return with_exponent(random, f, -60, 60);
    case 4:  // near 1, also very near
      return random.sign() *
             (1 + random.sign() * std::ldexp(random.unit(), -random.below(f.digits)));
    case 5:
      return neighbor(random, type, pi / 4 * random.between(-400, 400));
    case 6:
      return neighbor(random, type, 0.5 * random.between(-2500, 2500));
    default:  // in the range of the exponential functions
      return random.sign() * random.unit() * (f.most + f.digits);
  }
}

// Arguments for which x to the y is in the format's range.
void choose_powers(random_source &random, const accuracy_format &f, accuracy_arguments &a) {
  a.x = random.below(2) ? std::fabs(with_exponent(random, f, -f.most, f.most))
                        : 1 + random.sign() * std::ldexp(random.unit(), -random.below(f.digits));
  const double logarithm = std::log2(a.x);
  const double power = random.sign() * random.unit() * (f.most + f.digits);
  a.y = logarithm == 0 ? power : power / logarithm;
  const double k = std::round(a.y);
  a.k = std::fabs(k) < 2147483647.0 ? static_cast<int>(k) : INT_MAX;
  a.x *= random.below(4) == 0 ? -1 : 1;
}

int choose_int(random_source &random, const accuracy_format &f, double x) {
  switch (random.below(6)) {
    case 0:
      return random.between(-20, 20);
    case 1:
      return random.between(-300, 300);
    case 2:
      return static_cast<int>(random.next());
    case 3: {
      const int edges[] = {0, 1, -1, 2, -2, 3, -3, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1};
      return edges[random.below(11)];
    }
    default:  // ldexp's to results near the smallest and largest numbers
      return random.below(2) ? f.least - exponent_of(x, f) - random.between(0, f.digits + 1)
                             : f.most - exponent_of(x, f) + random.between(-2, 2);
  }
}

// A sum x * y + z that cancels or is near a tie.
double choose_addend(random_source &random, number_type type, double x, double y) {
  const accuracy_format &f = format_of(type);
  const double product = x * y;
  switch (random.below(4)) {
    case 0:
      return neighbor(random, type, -product);
    case 1:
      return std::ldexp(product, random.between(-f.digits - 2, f.digits + 2)) * random.sign();
    case 2:
      return std::copysign(std::ldexp(1.0, exponent_of(product, f) + random.sign() * f.digits),
                           random.sign());
    default:
      return with_exponent(random, f, -20, 20);
  }
}

accuracy_arguments choose(random_source &random, number_type type, accuracy_row row) {
  const accuracy_format &f = format_of(type);
  accuracy_arguments a = {single(random, type), single(random, type), single(random, type), 0};
  switch (random.below(8)) {
    case 0:
      a = {any_bits(random, type), any_bits(random, type), any_bits(random, type), 0};
      break;
    case 1:
      a.y = with_exponent(random, f, exponent_of(a.x, f) - 2, exponent_of(a.x, f) + 2);
      a.z = with_exponent(random, f, exponent_of(a.x, f) - 2, exponent_of(a.x, f) + 2);
      break;
    case 2:
      a.x = random.below(2) ? a.x : special(f, random.below(special_count + 1));
      a.y = random.below(2) ? a.y : special(f, random.below(special_count + 1));
      a.z = random.below(2) ? a.z : special(f, random.below(special_count + 1));
      break;
    case 3:
      a.y = neighbor(random, type, random.sign() * a.x);
      break;
    case 4:  // quotients that are halves of odd numbers
      a.x = rounded(type, a.y) * (random.between(-200, 200) + 0.5);
      break;
    case 5:
      a = {with_exponent(random, f, -10, 10), with_exponent(random, f, -10, 10),
           with_exponent(random, f, -10, 10), 0};
      break;
    default:
      break;
  }
  a.k = choose_int(random, f, a.x);
  const bool is_power = row == ROW_pow || row == ROW_powr || row == ROW_pown ||
                        row == ROW_native_powr || row == ROW_half_precision_powr;
  if (is_power && random.below(2)) {
    choose_powers(random, f, a);
  }
  a = {rounded(type, a.x), rounded(type, a.y), rounded(type, a.z), a.k};
  if ((row == ROW_fma || row == ROW_mad) && random.below(2)) {
    a.z = rounded(type, choose_addend(random, type, a.x, a.y));
  }
  return a;
}

}  // namespace

accuracy_arguments arguments_at(const sampling &from, std::uint64_t index) {
  const number_type type = from.type;
  if (from.how == sampling::all_of_x) {
    return {number_of_bits(type, index), 0, 0, 0};
  }
  if (from.how == sampling::all_pairs) {
    return {number_of_bits(type, index & 0xffff), number_of_bits(type, index >> 16), 0, 0};
  }
  // All special values come first, in pairs.
  constexpr std::uint64_t pair_count = (special_count + 1) * (special_count + 1);
  const accuracy_format &f = format_of(type);
  random_source random(index * 0x2545f4914f6cdd1du +
                       static_cast<std::uint64_t>(from.row) * 0x51ed27u);
  if (index < pair_count) {
    const double x = special(f, static_cast<int>(index % (special_count + 1)));
    const double y = special(f, static_cast<int>(index / (special_count + 1)));
    return {x, y, special(f, random.below(special_count + 1)), choose_int(random, f, x)};
  }
  if (from.how == sampling::strided) {
    const std::uint64_t step = (std::uint64_t(1) << 32) / from.count;
    return {number_of_bits(type, index * step + random.next() % step), 0, 0, 0};
  }
  if (arity_of(from.row) == 1 && !takes_int(from.row)) {
    return {rounded(type, single(random, type)), 0, 0, 0};
  }
  return choose(random, type, from.row);
}

void arguments_from(const sampling &from, std::uint64_t first, accuracy_arguments *arguments,
                    std::size_t count) {
  if (from.how == sampling::all_of_x && from.type == number_type::f32) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = static_cast<std::uint32_t>(first + i);
      float x = 0;
      std::memcpy(&x, &bits, sizeof x);
      arguments[i] = {x, 0, 0, 0};
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = arguments_at(from, first + i);
  }
}

}  // namespace accuracy
