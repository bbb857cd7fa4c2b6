// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat spreading over a plate that is cut into strips, one for each GPU: each device has a queue of
// its own, and after each step it copies its outermost rows straight into its neighbours' memory.
// Where there is no GPU, the strips are for the parts of a divided CPU.
//
//   multi_gpu [<height> <width> <steps>]
#include <sycl/sycl.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

constexpr float rate = 0.2f;

struct problem {
  std::size_t height = 256, width = 320;  // of the inner points; around them is a border
  int steps = 40;
  std::size_t pitch() const { return width + 2; }
  std::size_t size() const { return (height + 2) * pitch(); }
};

// All GPUs; without one, two halves of a device that can be divided; else the one device there is.
static std::vector<sycl::device> choose_devices() {
  std::vector<sycl::device> devices = sycl::device::get_devices(sycl::info::device_type::gpu);
  if (!devices.empty()) {
    return devices;
  }
  const sycl::device one;
  const std::uint32_t units = one.get_info<sycl::info::device::max_compute_units>();
  if (units < 2 || one.get_info<sycl::info::device::partition_max_sub_devices>() < 2) {
    return {one};
  }
  return one.create_sub_devices<sycl::info::partition_property::partition_equally>(units / 2);
}

// Some rows of the plate on one device, with a row more above and below: the neighbours' outermost
// rows, or the border.
struct strip {
  sycl::queue queue;
  std::size_t first, rows, pitch;
  float *now, *next;
  sycl::event from_above, from_below;  // the copies that brought the outer rows of `now`

  float *row(float *memory, std::size_t index) const { return memory + index * pitch; }
};

static std::vector<strip> cut(const problem &p, const std::vector<float> &start,
                              const sycl::context &context,
                              const std::vector<sycl::device> &devices) {
  std::vector<strip> strips;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::size_t first = p.height * i / devices.size();
    const std::size_t rows = p.height * (i + 1) / devices.size() - first;
    sycl::queue queue(context, devices[i], sycl::property::queue::in_order());
    const std::size_t count = (rows + 2) * p.pitch();
    float *now = sycl::malloc_device<float>(count, queue);
    float *next = sycl::malloc_device<float>(count, queue);
    if (now == nullptr || next == nullptr) {
      throw sycl::exception(sycl::errc::memory_allocation, "no memory for a strip");
    }
    queue.copy(&start[first * p.pitch()], now, count);
    queue.copy(&start[first * p.pitch()], next, count);
    strips.push_back(strip{queue, first, rows, p.pitch(), now, next, {}, {}});
  }
  for (strip &each : strips) {
    each.queue.wait();
  }
  return strips;
}

static void compute(strip &s, std::size_t width) {
  const float *const in = s.now;
  float *const out = s.next;
  const std::size_t pitch = s.pitch;
  // An in-order queue knows of its own commands; those of the neighbours are named.
  s.queue.parallel_for(sycl::range<2>(s.rows, width), {s.from_above, s.from_below},
                       [=](sycl::id<2> at) {
                         const std::size_t i = (at[0] + 1) * pitch + at[1] + 1;
                         const float around = in[i - pitch] + in[i + pitch] + in[i - 1] + in[i + 1];
                         out[i] = in[i] + rate * (around - 4.0f * in[i]);
                       });
}

// The outermost new rows go to the neighbours, behind the kernel that made them. The neighbours
// read the rows that are overwritten in the step before last, which this step has waited for.
static void send_rows(std::vector<strip> &strips, std::size_t i) {
  strip &s = strips[i];
  const std::size_t bytes = s.pitch * sizeof(float);
  if (i > 0) {
    strip &above = strips[i - 1];
    above.from_below = s.queue.memcpy(s.row(above.next, above.rows + 1), s.row(s.next, 1), bytes);
  }
  if (i + 1 < strips.size()) {
    strip &below = strips[i + 1];
    below.from_above = s.queue.memcpy(s.row(below.next, 0), s.row(s.next, s.rows), bytes);
  }
}

struct outcome {
  std::vector<float> plate;
  double seconds;
};

static outcome run_on(const problem &p, const std::vector<float> &start,
                      const std::vector<sycl::device> &devices) {
  const sycl::context context(devices);  // one for all: their memory is known to each other
  std::vector<strip> strips = cut(p, start, context, devices);
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < p.steps; ++step) {
    for (strip &each : strips) {
      compute(each, p.width);
    }
    for (std::size_t i = 0; i < strips.size(); ++i) {
      send_rows(strips, i);
    }
    for (strip &each : strips) {
      std::swap(each.now, each.next);
    }
  }
  for (strip &each : strips) {
    each.queue.wait_and_throw();
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  outcome result{start, time.count()};
  for (strip &each : strips) {
    each.queue.copy(each.row(each.now, 1), &result.plate[(each.first + 1) * p.pitch()],
                    each.rows * p.pitch());
    each.queue.wait();
    sycl::free(each.now, each.queue);
    sycl::free(each.next, each.queue);
  }
  return result;
}

static double error_to_host(const problem &p, const std::vector<float> &start,
                            const std::vector<float> &plate) {
  std::vector<double> now(start.begin(), start.end()), next = now;
  const std::size_t pitch = p.pitch();
  for (int step = 0; step < p.steps; ++step) {
    for (std::size_t y = 1; y <= p.height; ++y) {
      for (std::size_t i = y * pitch + 1; i <= y * pitch + p.width; ++i) {
        const double around = now[i - pitch] + now[i + pitch] + now[i - 1] + now[i + 1];
        next[i] = now[i] + static_cast<double>(rate) * (around - 4.0 * now[i]);
      }
    }
    std::swap(now, next);
  }
  double error = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    error = std::fmax(error, std::fabs(plate[i] - now[i]));
  }
  return error;
}

// Copies between GPUs go straight from one to the other where peer access is possible and opened,
// and through the host otherwise. Where both can, each may read the other's memory from then on.
static std::size_t open_peers(const std::vector<sycl::device> &devices) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < devices.size(); ++i) {
    const sycl::device &above = devices[i], &below = devices[i + 1];
    if (above.ext_oneapi_can_access_peer(below) && below.ext_oneapi_can_access_peer(above)) {
      above.ext_oneapi_enable_peer_access(below);
      below.ext_oneapi_enable_peer_access(above);
      ++count;
    }
  }
  return count;
}

static void print_strips(const problem &p, const std::vector<sycl::device> &devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::string name = devices[i].get_info<sycl::info::device::name>();
    std::printf("rows %zu to %zu: %s, %u compute units\n", p.height * i / devices.size(),
                p.height * (i + 1) / devices.size() - 1, name.c_str(),
                devices[i].get_info<sycl::info::device::max_compute_units>());
  }
}

static int run(const problem &p) {
  std::vector<float> start(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t y = i / p.pitch(), x = i % p.pitch();
    start[i] = x == 0 || (y / 32 + x / 32) % 5 == 0 ? 100.0f : 0.0f;
  }
  std::vector<sycl::device> devices = choose_devices();
  while (devices.size() > p.height) {
    devices.pop_back();
  }
  print_strips(p, devices);
  if (devices.size() > 1) {
    const std::size_t count = open_peers(devices);
    std::printf("peer access is open between %zu of %zu neighbours\n", count, devices.size() - 1);
  }
  problem once = p;
  once.steps = 1;
  (void)run_on(once, start, devices);  // the kernel is built and loaded
  const outcome alone = run_on(p, start, {devices[0]});
  const outcome all = run_on(p, start, devices);
  std::printf("%d steps of %zu x %zu points: %.1f ms on the first device, %.1f ms on all %zu\n",
              p.steps, p.height, p.width, 1e3 * alone.seconds, 1e3 * all.seconds, devices.size());
  // The same sums in the same order: what one device alone computes is the same to the last bit.
  // The host's are checked where that does not take long.
  const bool is_same = alone.plate == all.plate;
  const bool is_small = p.size() * static_cast<std::size_t>(p.steps) < 100000000;
  const double error = is_small ? error_to_host(p, start, all.plate) : 0;
  const bool good = is_same && error < 1e-3;
  std::printf("multi-gpu: %s: %zu strips; %s one device's; the largest error is %.1e degrees\n",
              good ? "correct" : "WRONG", devices.size(), is_same ? "equal to" : "UNLIKE", error);
  return good ? 0 : 1;
}

int main(int count, char **words) {
  problem p;
  if (count == 4) {
    p.height = std::strtoul(words[1], nullptr, 10);
    p.width = std::strtoul(words[2], nullptr, 10);
    p.steps = std::atoi(words[3]);
  }
  if ((count != 1 && count != 4) || p.height < 1 || p.width < 1 || p.steps < 0) {
    std::fprintf(stderr, "usage: multi_gpu [<height> <width> <steps>]\n");
    return 2;
  }
  try {
    return run(p);
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "multi-gpu: %s\n", error.what());
    return 1;
  }
}
