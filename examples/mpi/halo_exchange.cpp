// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat spreading over a plate that is cut into strips, one for each process of MPI, each with a
// device of its own: GPUs in turn, or the CPU where there is none. MPI gets the pointers to device
// memory where it can work with them; else, or with --staged, the rows go through host memory.
//
//   mpirun -n <processes> halo_exchange [--staged]
#include <sycl/sycl.hpp>

#define OMPI_SKIP_MPICXX 1  // MPI's functions for C are all that is needed
#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

constexpr std::size_t height = 192, width = 256;  // of the inner points; around them is a border
constexpr std::size_t pitch = width + 2;
constexpr int steps = 30;
constexpr float rate = 0.2f;

static float start_at(std::size_t y, std::size_t x) {
  return x == 0 || (y / 32 + x / 32) % 5 == 0 ? 100.0f : 0.0f;
}

// What this process is among the others.
struct place {
  int rank = 0, count = 1;
  int local_rank = 0;  // among those of this machine
  std::size_t first = 0, rows = 0;
};

static place find_place() {
  place p;
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.count);
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &p.local_rank);
  MPI_Comm_free(&here);
  const auto rank = static_cast<std::size_t>(p.rank), count = static_cast<std::size_t>(p.count);
  p.first = height * rank / count;
  p.rows = height * (rank + 1) / count - p.first;
  return p;
}

static sycl::device choose_device(const place &p) {
  const auto gpus = sycl::device::get_devices(sycl::info::device_type::gpu);
  return gpus.empty() ? sycl::device() : gpus[static_cast<std::size_t>(p.local_rank) % gpus.size()];
}

// The CPU's device memory is memory like any other. That of a GPU is MPI's to read and write only
// when it says so.
static bool takes_device_pointers(const sycl::device &device) {
  if (device.is_cpu()) {
    return true;
  }
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return device.get_backend() == sycl::backend::ext_oneapi_cuda && MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

// The rows of this process, with one more above and below.
class strip {
 public:
  strip(const place &where, const sycl::device &device, bool is_staged)
      : at(where),
        queue(device, sycl::property::queue::in_order()),
        is_direct(!is_staged && takes_device_pointers(device)) {
    std::vector<float> start(size());
    for (std::size_t i = 0; i < size(); ++i) {
      start[i] = start_at(at.first + i / pitch, i % pitch);
    }
    now = sycl::malloc_device<float>(size(), queue);
    next = sycl::malloc_device<float>(size(), queue);
    staged = sycl::malloc_host<float>(4 * pitch, queue);
    if (now == nullptr || next == nullptr || staged == nullptr) {
      throw sycl::exception(sycl::errc::memory_allocation, "no memory for a strip");
    }
    queue.copy(start.data(), now, size());
    queue.copy(start.data(), next, size()).wait();
  }
  ~strip() {
    sycl::free(now, queue);
    sycl::free(next, queue);
    sycl::free(staged, queue);
  }
  strip(const strip &) = delete;
  strip &operator=(const strip &) = delete;

  bool is_staged() const { return !is_direct; }

  void step() {
    const float *const in = now;
    float *const out = next;
    queue.parallel_for(sycl::range<2>(at.rows, width), [=](sycl::id<2> id) {
      const std::size_t i = (id[0] + 1) * pitch + id[1] + 1;
      const float around = in[i - pitch] + in[i + pitch] + in[i - 1] + in[i + 1];
      out[i] = in[i] + rate * (around - 4.0f * in[i]);
    });
    std::swap(now, next);
    if (at.count > 1) {
      exchange();
    }
  }

  // The inner rows, on the host.
  std::vector<float> rows() {
    std::vector<float> all(at.rows * pitch);
    queue.copy(now + pitch, all.data(), all.size()).wait();
    return all;
  }

 private:
  std::size_t size() const { return (at.rows + 2) * pitch; }

  // The outermost rows for the neighbours' rows; there is nobody above the first and below the
  // last.
  void exchange() {
    float *const mine[2] = {now + pitch, now + at.rows * pitch};
    float *const theirs[2] = {now, now + (at.rows + 1) * pitch};
    float *to_send[2] = {mine[0], mine[1]}, *to_fill[2] = {theirs[0], theirs[1]};
    if (!is_direct) {
      for (int side = 0; side < 2; ++side) {
        to_send[side] = staged + side * pitch;
        to_fill[side] = staged + (2 + side) * pitch;
        queue.copy(mine[side], to_send[side], pitch);
      }
    }
    queue.wait();  // MPI knows nothing of queues
    const int neighbours[2] = {at.rank > 0 ? at.rank - 1 : MPI_PROC_NULL,
                               at.rank + 1 < at.count ? at.rank + 1 : MPI_PROC_NULL};
    MPI_Request requests[4];
    for (int side = 0; side < 2; ++side) {
      // A row that goes up comes from below.
      MPI_Irecv(to_fill[side], pitch, MPI_FLOAT, neighbours[side], 1 - side, MPI_COMM_WORLD,
                &requests[side]);
      MPI_Isend(to_send[side], pitch, MPI_FLOAT, neighbours[side], side, MPI_COMM_WORLD,
                &requests[2 + side]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2 && !is_direct; ++side) {
      if (neighbours[side] != MPI_PROC_NULL) {
        queue.copy(to_fill[side], theirs[side], pitch);
      }
    }
  }

  place at;
  sycl::queue queue;
  bool is_direct;
  float *now, *next, *staged;
};

// All inner rows, in the first process.
static std::vector<float> gather(const place &p, const std::vector<float> &mine) {
  std::vector<int> sizes, offsets;
  for (int rank = 0; rank < p.count; ++rank) {
    const auto r = static_cast<std::size_t>(rank), count = static_cast<std::size_t>(p.count);
    offsets.push_back(static_cast<int>(height * r / count * pitch));
    sizes.push_back(static_cast<int>(height * (r + 1) / count * pitch) - offsets.back());
  }
  std::vector<float> all(p.rank == 0 ? height * pitch : 0);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_FLOAT, all.data(), sizes.data(),
              offsets.data(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  return all;
}

static double error_to_host(const std::vector<float> &plate) {
  std::vector<double> now((height + 2) * pitch), next;
  for (std::size_t i = 0; i < now.size(); ++i) {
    now[i] = start_at(i / pitch, i % pitch);
  }
  next = now;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t y = 1; y <= height; ++y) {
      for (std::size_t i = y * pitch + 1; i <= y * pitch + width; ++i) {
        const double around = now[i - pitch] + now[i + pitch] + now[i - 1] + now[i + 1];
        next[i] = now[i] + static_cast<double>(rate) * (around - 4.0 * now[i]);
      }
    }
    std::swap(now, next);
  }
  double error = 0;
  for (std::size_t i = 0; i < plate.size(); ++i) {
    error = std::fmax(error, std::fabs(plate[i] - now[i + pitch]));
  }
  return error;
}

static int run(bool wants_staging) {
  const place p = find_place();
  if (static_cast<std::size_t>(p.count) > height) {
    std::fprintf(stderr, "mpi: at most %zu processes, one for each row\n", height);
    return 1;
  }
  const sycl::device device = choose_device(p);
  strip mine(p, device, wants_staging);
  const std::string name = device.get_info<sycl::info::device::name>();
  std::printf("process %d of %d: rows %zu to %zu on %s, %s\n", p.rank, p.count, p.first,
              p.first + p.rows - 1, name.c_str(),
              mine.is_staged() ? "through host memory" : "straight from device memory");
  std::fflush(stdout);
  for (int step = 0; step < steps; ++step) {
    mine.step();
  }
  const std::vector<float> plate = gather(p, mine.rows());
  int is_good = 1;
  if (p.rank == 0) {
    const double error = error_to_host(plate);
    is_good = error < 1e-3;
    std::printf("mpi: %s: after %d steps in %d processes the largest error is %.1e degrees\n",
                is_good ? "correct" : "WRONG", steps, p.count, error);
  }
  MPI_Bcast(&is_good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return is_good ? 0 : 1;
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int status = 1;
  try {
    status = run(count > 1 && std::strcmp(words[1], "--staged") == 0);
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // the others would wait
  }
  MPI_Finalize();
  return status;
}
