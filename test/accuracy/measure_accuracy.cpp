// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures SYCL's mathematics on the selected device and prints a table of the greatest errors.
#include "math_kernels.hpp"
#include "row_judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace accuracy {
namespace {

struct options {
  std::uint64_t unary_count = 1u << 17, count = 1u << 17;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool has_all_pairs = false, is_on_host = false, has_only_failures = false;
  std::string functions, types;
};

const char usage[] =
    "usage: measure_accuracy [option]...\n"
    "  --full             all float and half arguments of functions of one; 10^7 random ones else\n"
    "  --unary=N          N arguments of functions of one float, at equal distances\n"
    "  --count=N          N random arguments of all other functions\n"
    "  --half-pairs       all pairs of half arguments\n"
    "  --functions=A,B    only these\n"
    "  --types=A,B        of float, double, half\n"
    "  --threads=N        threads of the reference; all processors by default\n"
    "  --host             the functions in host code instead of on a device\n"
    "  --failures         print only functions beyond their limits\n";

bool value_after(const char *argument, const char *option, const char *&value) {
  const std::size_t size = std::strlen(option);
  value = argument + size;
  return std::strncmp(argument, option, size) == 0;
}

bool parse(int count, char **arguments, options &chosen) {
  for (int i = 1; i < count; ++i) {
    const char *argument = arguments[i], *value = nullptr;
    if (std::strcmp(argument, "--full") == 0) {
      chosen.unary_count = std::uint64_t(1) << 32;
      chosen.count = 10000000;
    } else if (value_after(argument, "--unary=", value)) {
      chosen.unary_count = std::strtoull(value, nullptr, 0);
    } else if (value_after(argument, "--count=", value)) {
      chosen.count = std::strtoull(value, nullptr, 0);
    } else if (value_after(argument, "--threads=", value)) {
      chosen.threads = static_cast<unsigned>(std::max(1l, std::strtol(value, nullptr, 0)));
    } else if (value_after(argument, "--functions=", value)) {
      chosen.functions = std::string(",") + value + ",";
    } else if (value_after(argument, "--types=", value)) {
      chosen.types = std::string(",") + value + ",";
    } else if (std::strcmp(argument, "--half-pairs") == 0) {
      chosen.has_all_pairs = true;
    } else if (std::strcmp(argument, "--host") == 0) {
      chosen.is_on_host = true;
    } else if (std::strcmp(argument, "--failures") == 0) {
      chosen.has_only_failures = true;
    } else {
      std::fprintf(stderr, "measure_accuracy: unknown option '%s'\n%s", argument, usage);
      return false;
    }
  }
  if (chosen.unary_count == 0 || chosen.count == 0) {
    std::fprintf(stderr, "measure_accuracy: invalid number of arguments 0\n");
    return false;
  }
  return true;
}

bool is_chosen(const std::string &list, const char *name) {
  return list.empty() || list.find(std::string(",") + name + ",") != std::string::npos;
}

bool has_type(const sycl::device &device, number_type type) {
  return type == number_type::f32 ||
         device.has(type == number_type::f64 ? sycl::aspect::fp64 : sycl::aspect::fp16);
}

bool has_subnormals(const sycl::device &device, number_type type) {
  using namespace sycl::info::device;
  const auto config = type == number_type::f32   ? device.get_info<single_fp_config>()
                      : type == number_type::f64 ? device.get_info<double_fp_config>()
                                                 : device.get_info<half_fp_config>();
  return std::find(config.begin(), config.end(), sycl::info::fp_config::denorm) != config.end();
}

bool run_row(const sampling &from, sycl::queue *queue, const math_arrays &arrays) {
  return from.type == number_type::f32   ? run_float(from.row, queue, arrays)
         : from.type == number_type::f64 ? run_double(from.row, queue, arrays)
                                         : run_half(from.row, queue, arrays);
}

class measurement {
 public:
  explicit measurement(const options &chosen_options)
      : chosen(chosen_options),
        // Many arguments on many processors make starting threads the larger part otherwise.
        chunk(std::size_t(1) << (chosen_options.unary_count > 1u << 26 ? 22 : 20)) {
    for (void *&array : numbers) {
      array = sycl::malloc_host(chunk * sizeof(double), queue);
    }
    ints = sycl::malloc_host<int>(chunk, queue);
  }
  ~measurement() {
    for (void *array : numbers) {
      sycl::free(array, queue);
    }
    sycl::free(ints, queue);
  }
  measurement(const measurement &) = delete;
  measurement &operator=(const measurement &) = delete;

  bool has_memory() const { return numbers[0] && numbers[1] && numbers[2] && numbers[3] && ints; }
  sycl::device device() const { return queue.get_device(); }
  // False where an error is beyond its limit.
  bool measure(accuracy_row row, number_type type);

 private:
  template <class T>
  void fill(const sampling &from, std::uint64_t first, std::size_t count);
  bool print(const row_judge &judge, const judgment &worst) const;

  options chosen;
  std::size_t chunk;
  sycl::queue queue;
  void *numbers[4];  // x, y, z and results
  int *ints;
};

template <class T>
void narrow(const sampling &from, const accuracy_arguments &a, T *const (&arrays)[3], int arity,
            std::size_t place) {
  const double values[] = {a.x, a.y, a.z};
  for (int n = 0; n < arity; ++n) {
    arrays[n][place] = static_cast<T>(bits_of_number(from.type, values[n]));
  }
}

template <class T>
void measurement::fill(const sampling &from, std::uint64_t first, std::size_t count) {
  T *const arrays[3] = {static_cast<T *>(numbers[0]), static_cast<T *>(numbers[1]),
                        static_cast<T *>(numbers[2])};
  on_threads(chosen.threads, count, [&](std::size_t begin, std::size_t end, unsigned) {
    if (from.how == sampling::all_of_x) {
      for (std::size_t place = begin; place < end; ++place) {
        arrays[0][place] = static_cast<T>(first + place);
      }
      return;
    }
    const int arity = arity_of(from.row);
    for (std::size_t place = begin; place < end; ++place) {
      const accuracy_arguments a = arguments_at(from, first + place);
      narrow<T>(from, a, arrays, arity, place);
      ints[place] = a.k;
    }
  });
}

bool measurement::measure(accuracy_row row, number_type type) {
  const sampling from =
      make_sampling(row, type, chosen.unary_count, chosen.count, chosen.has_all_pairs);
  const bool is_loose = std::strncmp(name_of(row), "native_", 7) == 0 ||
                        std::strncmp(name_of(row), "half_precision_", 15) == 0 ||
                        std::strncmp(name_of(row), "fast_", 5) == 0;
  const bool may_flush =
      is_loose || (!chosen.is_on_host && !has_subnormals(queue.get_device(), type));
  const row_judge judge = {from, may_flush, from.count > 1u << 26 ? 65536u : 1024u};
  judgment worst;
  for (std::uint64_t first = 0; first < from.count; first += chunk) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk, from.count - first));
    if (type == number_type::f32) {
      fill<std::uint32_t>(from, first, count);
    } else if (type == number_type::f64) {
      fill<std::uint64_t>(from, first, count);
    } else {
      fill<std::uint16_t>(from, first, count);
    }
    const math_arrays arrays = {numbers[0], numbers[1], numbers[2], ints, numbers[3], count};
    if (!run_row(from, chosen.is_on_host ? nullptr : &queue, arrays)) {
      return true;
    }
    std::vector<judgment> found(chosen.threads, worst);
    for (judgment &one : found) {
      one.beyond_count = one.sign_count = one.doubted_count = 0;
    }
    const void *results = numbers[3];
    on_threads(chosen.threads, count, [&](std::size_t begin, std::size_t end, unsigned thread) {
      judge.judge(results, first, begin, end, found[thread]);
    });
    for (const judgment &one : found) {
      worst.add(one);
    }
  }
  return print(judge, worst);
}

std::string text_of(double number) {
  char text[40];
  (void)std::snprintf(text, sizeof text, "%a", number);
  return text;
}

std::string text_of(const sampling &from, std::uint64_t index) {
  const accuracy_arguments a = arguments_at(from, index);
  const int arity = arity_of(from.row);
  return text_of(a.x) + (arity > 1 ? ", " + text_of(a.y) : "") +
         (arity > 2 ? ", " + text_of(a.z) : "") +
         (takes_int(from.row) ? ", " + std::to_string(a.k) : "");
}

bool measurement::print(const row_judge &judge, const judgment &worst) const {
  const sampling &from = judge.from;
  const double limit = limit_of(from.row, from.type), error = judge.confirmed(worst);
  const bool is_near = limit == OPEN || error <= limit;
  const bool is_right = is_near && (limit == OPEN || worst.sign_count == 0);
  if (chosen.has_only_failures && is_right && worst.doubted_count == 0) {
    return true;
  }
  std::string at;
  if (error > 0) {
    at = text_of(from, worst.index) + " → " + text_of(worst.result);
  }
  std::string verdict = limit == OPEN ? "no limit" : "within";
  if (!is_near) {
    verdict = "BEYOND at " + std::to_string(worst.beyond_count);
  }
  if (worst.sign_count != 0) {
    verdict += "; the sign of zero is wrong at " + std::to_string(worst.sign_count) + ", such as " +
               text_of(from, worst.sign_index);
  }
  char bound[16] = "none";
  if (limit != OPEN) {
    std::snprintf(bound, sizeof bound, "%g", limit);
  }
  std::printf(
      "| %s | %s | %s%llu | %.4g | %s | %s | %s |\n", name_of(from.row), format_of(from.type).name,
      from.how == sampling::all_of_x || from.how == sampling::all_pairs ? "all " : "",
      static_cast<unsigned long long>(from.count), error, at.c_str(), bound, verdict.c_str());
  if (worst.doubted_count != 0) {
    std::printf("%s of %s: the references differ at %llu arguments, such as %s\n",
                name_of(from.row), format_of(from.type).name,
                static_cast<unsigned long long>(worst.doubted_count),
                text_of(from, worst.doubted_index).c_str());
  }
  std::fflush(stdout);
  return is_right && worst.doubted_count == 0;
}

int run(const options &chosen) {
  measurement all(chosen);
  if (!all.has_memory()) {
    std::fprintf(stderr, "measure_accuracy: the device has no USM host allocations\n");
    return 2;
  }
  std::printf("# %s\n", chosen.is_on_host
                            ? "host code"
                            : all.device().get_info<sycl::info::device::name>().c_str());
  std::printf("| function | type | arguments | ulp | at | limit | verdict |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  int beyond = 0;
  for (int row = 0; row < ROW_COUNT; ++row) {
    for (int type = 0; type < type_count; ++type) {
      const auto measured = static_cast<number_type>(type);
      const auto id = static_cast<accuracy_row>(row);
      if (is_chosen(chosen.functions, name_of(id)) &&
          is_chosen(chosen.types, format_of(measured).name) &&
          (chosen.is_on_host || has_type(all.device(), measured))) {
        beyond += all.measure(id, measured) ? 0 : 1;
      }
    }
  }
  std::printf("%d rows are beyond their limits\n", beyond);
  return beyond != 0 ? 1 : 0;
}

}  // namespace
}  // namespace accuracy

int main(int count, char **arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--help") == 0) {
    std::printf("%s", accuracy::usage);
    return 0;
  }
  accuracy::options chosen;
  if (!accuracy::parse(count, arguments, chosen)) {
    return 2;
  }
  try {
    return accuracy::run(chosen);
  } catch (const sycl::exception &failure) {
    std::fprintf(stderr, "measure_accuracy: %s\n", failure.what());
    return 2;
  }
}
