// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// K-means clustering of points in the plane. Coordinates are whole numbers, so that the sums do not
// depend on the order in which the atomics add them, and the host finds exactly the same.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t count = 1 << 15, clusters = 8;
constexpr std::size_t group_size = 128;
constexpr int rounds = 10;

struct point {
  std::int32_t x, y;
};
struct cluster {
  std::int64_t x, y, size;
};

static std::uint32_t nearest(point p, const point *centers) {
  std::uint32_t best = 0;
  std::int64_t least = INT64_MAX;
  for (std::uint32_t i = 0; i < clusters; ++i) {
    const std::int64_t dx = p.x - centers[i].x, dy = p.y - centers[i].y;
    const std::int64_t distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

template <sycl::memory_scope Scope>
static void add(std::int64_t &to, std::int64_t value) {
  sycl::atomic_ref<std::int64_t, sycl::memory_order::relaxed, Scope>(to).fetch_add(value);
}

// Gives each point to its nearest center and sums each cluster up: first within the work-group.
static void assign(sycl::queue &q, const point *points, const point *centers, cluster *sums) {
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<cluster> ours(clusters, h);
    h.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t at = item.get_local_id(0);
      if (at < clusters) {
        ours[at] = cluster{0, 0, 0};
      }
      sycl::group_barrier(item.get_group());
      const point p = points[item.get_global_id(0)];
      cluster &mine = ours[nearest(p, centers)];
      add<sycl::memory_scope::work_group>(mine.x, p.x);
      add<sycl::memory_scope::work_group>(mine.y, p.y);
      add<sycl::memory_scope::work_group>(mine.size, 1);
      sycl::group_barrier(item.get_group());
      if (at < clusters) {
        add<sycl::memory_scope::device>(sums[at].x, ours[at].x);
        add<sycl::memory_scope::device>(sums[at].y, ours[at].y);
        add<sycl::memory_scope::device>(sums[at].size, ours[at].size);
      }
    });
  });
}

// Moves a center to the middle of its cluster, and empties the sums for the next round.
static void move(point &center, cluster &sum) {
  if (sum.size != 0) {
    center.x = static_cast<std::int32_t>(sum.x / sum.size);
    center.y = static_cast<std::int32_t>(sum.y / sum.size);
  }
  sum = cluster{0, 0, 0};
}

static void run_on_host(const std::vector<point> &points, std::vector<point> &centers) {
  std::vector<cluster> sums(clusters);
  for (int round = 0; round < rounds; ++round) {
    for (const point p : points) {
      cluster &sum = sums[nearest(p, centers.data())];
      sum.x += p.x;
      sum.y += p.y;
      sum.size += 1;
    }
    for (std::size_t i = 0; i < clusters; ++i) {
      move(centers[i], sums[i]);
    }
  }
}

static int run() {
  std::mt19937 random(1);
  std::normal_distribution<float> near(0.0f, 4000.0f);
  std::vector<point> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float cx = static_cast<float>(i % 4) * 20000.0f;
    const float cy = static_cast<float>(i / 4 % 2) * 20000.0f;
    points[i] = {static_cast<std::int32_t>(cx + near(random)),
                 static_cast<std::int32_t>(cy + near(random))};
  }
  std::vector<point> expected(points.begin(), points.begin() + clusters);

  sycl::queue q{sycl::property::queue::in_order{}};
  point *const device_points = sycl::malloc_device<point>(count, q);
  point *const centers = sycl::malloc_shared<point>(clusters, q);
  cluster *const sums = sycl::malloc_device<cluster>(clusters, q);
  q.copy(points.data(), device_points, count);
  q.copy(expected.data(), centers, clusters);
  q.fill(sums, cluster{0, 0, 0}, clusters);
  for (int round = 0; round < rounds; ++round) {
    assign(q, device_points, centers, sums);
    q.parallel_for(sycl::range<1>(clusters), [=](sycl::id<1> i) { move(centers[i], sums[i]); });
  }
  q.wait_and_throw();

  run_on_host(points, expected);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < clusters; ++i) {
    std::printf("  center %zu: %d, %d\n", i, centers[i].x, centers[i].y);
    wrong += centers[i].x != expected[i].x || centers[i].y != expected[i].y;
  }
  sycl::free(device_points, q);
  sycl::free(centers, q);
  sycl::free(sums, q);
  std::printf("k-means: %s: %zu of %zu centers differ after %d rounds\n",
              wrong == 0 ? "correct" : "WRONG", wrong, clusters, rounds);
  return wrong == 0 ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "k-means: %s\n", error.what());
    return 1;
  }
}
