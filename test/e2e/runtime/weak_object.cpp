// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weak_object, owner_less and ext_oneapi_owner_before, of every class with common reference
// semantics: nothing is kept, what is locked is the same object, and the order outlives it.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

namespace one = sycl::ext::oneapi;
namespace ex = one::experimental;
using one::owner_less;
using one::weak_object;

#if SYCL_EXT_ONEAPI_WEAK_OBJECT != 1
#error "the feature-test macro is missing"
#endif

class first_kernel;
class second_kernel;

static_assert(std::is_same_v<weak_object<sycl::queue>::object_type, sycl::queue>);
static_assert(std::is_nothrow_move_constructible_v<weak_object<sycl::buffer<int>>> &&
              std::is_nothrow_copy_assignable_v<weak_object<sycl::event>> &&
              std::is_nothrow_constructible_v<weak_object<sycl::context>, const sycl::context &>);
[[maybe_unused]] static weak_object<sycl::queue> without_code_at_start;

template <class T>
static void same_and_other(const T &a, const T &b) {
  const weak_object<T> none;
  weak_object<T> weak(a);
  weak_object<T> copy = weak;
  EXPECT(none.expired() && !none.try_lock());
  EXPECT_ERRC(invalid, none.lock());
  EXPECT(!weak.expired() && weak.lock() == a && *copy.try_lock() == a);
  weak_object<T> moved = std::move(copy);
  EXPECT(moved.lock() == a && copy.expired());
  copy = b;
  EXPECT(copy.lock() == b);
  moved.swap(copy);
  EXPECT(moved.lock() == b && copy.lock() == a);
  moved = weak;
  EXPECT(moved.lock() == a);
  moved.reset();
  EXPECT(moved.expired());

  const weak_object<T> other(b);
  const T again = a;
  EXPECT(!weak.owner_before(a) && !weak.owner_before(copy) && !weak.owner_before(again));
  EXPECT(!a.ext_oneapi_owner_before(again) && !again.ext_oneapi_owner_before(weak));
  EXPECT(!none.owner_before(moved) && !moved.owner_before(none));
  EXPECT(none.owner_before(a) != a.ext_oneapi_owner_before(none));
  const owner_less<T> less;
  const bool is_first = less(a, b);
  EXPECT(is_first != less(b, a));
  EXPECT(less(weak, other) == is_first && less(a, other) == is_first && less(weak, b) == is_first);
  EXPECT(weak.owner_before(b) == is_first && a.ext_oneapi_owner_before(other) == is_first);
  std::map<weak_object<T>, int, owner_less<T>> by_weak{{weak, 1}, {other, 2}, {copy, 3}};
  EXPECT(by_weak.size() == 2 && by_weak[again] == 1 && by_weak[b] == 2);
  std::set<T, owner_less<T>> objects{a, b, again};
  EXPECT(objects.size() == 2);
}

// Makes objects that nobody else keeps.
template <class T, class Make>
static void goes(Make make) {
  std::optional<T> object(make());
  weak_object<T> weak(*object);
  {
    const T locked = weak.lock();
    EXPECT(locked == *object);
    object.reset();
    EXPECT(!weak.expired() && weak.lock() == locked);
  }
  EXPECT(weak.expired() && !weak.try_lock());
  EXPECT_ERRC(invalid, weak.lock());
  // Another one, maybe at the address that is free now.
  const T next = make();
  EXPECT(weak.owner_before(next) != next.ext_oneapi_owner_before(weak));
}

static void queues_and_events() {
  sycl::queue q;
  const sycl::device dev = q.get_device();
  const sycl::context ctx = q.get_context();
  same_and_other(sycl::context(dev), ctx);
  same_and_other(q, sycl::queue(dev));
  same_and_other(sycl::event(), q.single_task<first_kernel>([] {}));
  const auto platforms = sycl::platform::get_platforms();
  if (platforms.size() > 1) {
    same_and_other(platforms[0], platforms[1]);
  }
  EXPECT(weak_object<sycl::device>(dev).lock() == dev);
  EXPECT(weak_object<sycl::platform>(dev.get_platform()).lock() == dev.get_platform());
  goes<sycl::context>([&] { return sycl::context(dev); });
  goes<sycl::queue>([&] { return sycl::queue(dev); });
  goes<sycl::event>([] { return sycl::event(); });

  // An event keeps what a command needs of its queue, but no queue object.
  std::optional<sycl::queue> temporary(dev);
  const weak_object<sycl::queue> weak(*temporary);
  sycl::event done = temporary->single_task<second_kernel>([] {});
  const weak_object<sycl::event> weak_event(done);
  temporary.reset();
  EXPECT(weak.expired() && !weak.try_lock());
  weak_event.lock().wait_and_throw();
  EXPECT(weak_event.lock() == done);
}

static void kernels() {
  sycl::queue q;
  const auto first = sycl::get_kernel_id<first_kernel>();
  const auto second = sycl::get_kernel_id<second_kernel>();
  same_and_other(first, second);
  constexpr auto executable = sycl::bundle_state::executable;
  using bundle_type = sycl::kernel_bundle<executable>;
  const auto make = [&] {
    return sycl::get_kernel_bundle<executable>(q.get_context(), {first, second});
  };
  const bundle_type bundle = make();
  same_and_other(bundle, sycl::get_kernel_bundle<executable>(sycl::context(q.get_device())));
  same_and_other(bundle.get_kernel(first), bundle.get_kernel(second));
  std::optional<bundle_type> temporary(make());
  const weak_object<bundle_type> weak(*temporary);
  const weak_object<sycl::kernel> weak_kernel(temporary->get_kernel(first));
  EXPECT(weak.lock().get_kernel_ids() == temporary->get_kernel_ids());
  EXPECT(weak_kernel.lock() == temporary->get_kernel(first));
  temporary.reset();
  EXPECT(weak.expired() && weak_kernel.expired() && !weak_kernel.try_lock());
  const auto &image = *bundle.begin();
  EXPECT(weak_object<std::decay_t<decltype(image)>>(image).lock() == image);
}

struct counted_allocator {
  using value_type = int;
  std::shared_ptr<int> count = std::make_shared<int>(0);
  int *allocate(std::size_t n) { return std::allocator<int>().allocate(n); }
  void deallocate(int *p, std::size_t n) { std::allocator<int>().deallocate(p, n); }
};

static void buffers() {
  const sycl::range<2> size(2, 3);
  same_and_other(sycl::buffer<int>(4), sycl::buffer<int>(4));
  same_and_other(sycl::buffer<float, 2>(size), sycl::buffer<float, 2>(size));
  goes<sycl::buffer<int, 2>>([&] { return sycl::buffer<int, 2>(size); });

  sycl::buffer<int, 1, counted_allocator> own(sycl::range(8), counted_allocator());
  const weak_object<sycl::buffer<int, 1, counted_allocator>> weak_own(own);
  EXPECT(weak_own.lock().get_range() == sycl::range(8));
  EXPECT(weak_own.lock().get_allocator().count == own.get_allocator().count);

  // The data is written back by the owner's end: a weak reference is none, an accessor neither.
  int data[4] = {1, 2, 3, 4};
  std::optional<sycl::buffer<int>> buffer(std::in_place, data, sycl::range(4));
  std::optional<sycl::accessor<int>> placeholder(std::in_place, *buffer);
  const weak_object<sycl::buffer<int>> weak(*buffer);
  const weak_object<sycl::accessor<int>> weak_accessor(*placeholder);
  sycl::queue q;
  q.submit([&](sycl::handler &h) {
    sycl::buffer<int> locked = weak.lock();
    sycl::accessor all(locked, h);
    h.parallel_for(4, [=](sycl::id<1> i) { all[i] *= 10; });
  });
  EXPECT(weak_accessor.lock() == *placeholder);
  buffer.reset();
  EXPECT(data[3] == 40 && weak.expired() && !weak.try_lock());
  EXPECT(!weak_accessor.expired());
  placeholder.reset();
  EXPECT(weak_accessor.expired() && !weak_accessor.try_lock());

  sycl::buffer<int> whole(64);
  sycl::buffer<int> part(whole, sycl::id(32), sycl::range(32));
  same_and_other(whole, part);
}

static void accessors() {
  sycl::queue q;
  sycl::buffer<int> buffer(4);
  same_and_other(sycl::accessor(buffer, sycl::read_write),
                 sycl::accessor(buffer, sycl::read_write));
  {
    std::optional<sycl::host_accessor<int>> host(std::in_place, buffer);
    (*host)[1] = 7;
    const weak_object<sycl::host_accessor<int>> weak(*host);
    EXPECT(weak.lock()[1] == 7);
    host.reset();
    EXPECT(weak.expired() && !weak.try_lock());
    sycl::buffer<int> other(4);
    same_and_other(sycl::host_accessor(buffer), sycl::host_accessor(other));
  }
  const weak_object<sycl::host_accessor<int>> of_nothing{sycl::host_accessor<int>()};
  EXPECT(!of_nothing.expired() && of_nothing.try_lock());
  // It is an object all the same, of which one without an object is none.
  const weak_object<sycl::host_accessor<int>> none;
  EXPECT(none.owner_before(of_nothing) && !of_nothing.owner_before(none));
  EXPECT(none.owner_before(sycl::host_accessor<int>()));
  EXPECT(!sycl::host_accessor<int>().ext_oneapi_owner_before(none));
  std::optional<weak_object<sycl::stream>> stream_after;
  q.submit([&](sycl::handler &h) {
     same_and_other(sycl::accessor(buffer, h), sycl::accessor(buffer, h));
     sycl::accessor device(buffer, h);
     sycl::local_accessor<int> local(4, h);
     same_and_other(local, sycl::local_accessor<int>(4, h));
     same_and_other(sycl::stream(1024, 80, h), sycl::stream(1024, 80, h));
     sycl::stream out(1024, 80, h);
     stream_after.emplace(out);
     const auto woken = weak_object<sycl::accessor<int>>(device).lock();
     const auto woken_local = weak_object<sycl::local_accessor<int>>(local).lock();
     h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> it) {
       woken_local[it.get_local_id(0)] = static_cast<int>(it.get_local_id(0));
       sycl::group_barrier(it.get_group());
       woken[it.get_global_id(0)] = woken_local[3 - it.get_local_id(0)];
     });
   }).wait();
  EXPECT(sycl::host_accessor(buffer)[0] == 3 && sycl::host_accessor(buffer)[3] == 0);
}

static void images() {
  const auto format = sycl::image_format::r8g8b8a8_uint;
  const sycl::range<2> size(4, 4);
  unsigned char pixels[64] = {};
  const sycl::image_sampler sampler{sycl::addressing_mode::none,
                                    sycl::coordinate_normalization_mode::unnormalized,
                                    sycl::filtering_mode::nearest};
  using plain = sycl::unsampled_image<2>;
  using sampled = sycl::sampled_image<2>;
  same_and_other(plain(format, size), plain(format, size));
  same_and_other(sampled(pixels, format, sampler, size), sampled(pixels, format, sampler, size));
  goes<plain>([&] { return plain(format, size); });
  plain image(pixels, format, size);
  sampled samples(pixels, format, sampler, size);
  EXPECT(weak_object<plain>(image).lock().get_pitch() == image.get_pitch());
  {
    using host = sycl::host_unsampled_image_accessor<sycl::int4, 2>;
    const host access(image);
    access.write(sycl::int2(1, 2), sycl::int4(9));
    EXPECT(weak_object<host>(access).lock().read(sycl::int2(1, 2)).x() == 9);
  }
  using host_samples = sycl::host_sampled_image_accessor<sycl::int4, 2>;
  const host_samples reader(samples);
  EXPECT(weak_object<host_samples>(reader).lock() == reader);
  sycl::queue().submit([&](sycl::handler &h) {
    using task = sycl::image_target;
    using read = sycl::unsampled_image_accessor<sycl::int4, 2, sycl::access_mode::read,
                                                task::host_task>;
    same_and_other(read(image, h), read(image, h));
    h.host_task([] {});
  });
}

static void graphs() {
  sycl::queue q;
  using graph = ex::command_graph<ex::graph_state::modifiable>;
  using ready = ex::command_graph<ex::graph_state::executable>;
  same_and_other(graph(q), graph(q));
  goes<graph>([&] { return graph(q); });
  graph g(q);
  goes<ready>([&] { return g.finalize(); });
}

// Threads lock while another one gives the last object away.
static void threads() {
  for (int round = 0; round < 50; ++round) {
    std::optional<sycl::buffer<int>> buffer(sycl::range(16));
    std::optional<sycl::queue> q(std::in_place);
    const weak_object<sycl::buffer<int>> weak_buffer(*buffer);
    const weak_object<sycl::queue> weak_queue(*q);
    const auto use = [&] {
      while (const auto locked = weak_buffer.try_lock()) {
        EXPECT(locked->size() == 16);
      }
      while (const auto locked = weak_queue.try_lock()) {
        EXPECT(locked->is_in_order() == false);
      }
    };
    std::thread one(use), two(use);
    buffer.reset();
    q.reset();
    one.join();
    two.join();
    EXPECT(weak_buffer.expired() && weak_queue.expired());
  }
}

int main() {
  queues_and_events();
  kernels();
  buffers();
  accessors();
  images();
  graphs();
  threads();
  return failures;
}
