// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel ids, bundles of every state, their images and kernels: each function, and what it refuses.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <string>
#include <unordered_map>

using sycl::bundle_state;
template <bundle_state State>
using bundle = sycl::kernel_bundle<State>;
constexpr auto input = bundle_state::input;
constexpr auto object = bundle_state::object;
constexpr auto executable = bundle_state::executable;

namespace work {
struct twice {
  int *p;
  void operator()() const { *p *= 2; }
};
struct plus_one {
  int *p;
  void operator()(sycl::id<1> i) const { p[i] += 1; }
};
}  // namespace work
template <class T>
class templated;
class grouped;
class summed;
class nested_groups;

template <class T>
static void check_reference_class() {
  static_assert(!std::is_default_constructible_v<T> && std::is_copy_constructible_v<T> &&
                std::is_copy_assignable_v<T> && std::is_nothrow_move_constructible_v<T> &&
                std::is_nothrow_move_assignable_v<T> && !std::is_aggregate_v<T>);
}

template <class T>
static void check_equal(const T &a, const T &other) {
  T copy(a);
  T moved(std::move(copy));
  EXPECT(moved == a && !(moved != a) && std::hash<T>()(moved) == std::hash<T>()(a));
  EXPECT(a != other && !(a == other));
  copy = other;
  EXPECT(copy == other);
  std::unordered_map<T, int> map{{a, 1}, {other, 2}};
  EXPECT(map[moved] == 1 && map[copy] == 2 && map.size() == 2);
}

// Every kind of launch, so that all of these are kernels of the program.
static void launch_all(sycl::queue &q, int *p) {
  class local_name;
  q.single_task(work::twice{p});
  q.parallel_for(sycl::range<1>(4), work::plus_one{p});
  q.single_task<templated<long>>([=] { p[1] = 7; });
  q.parallel_for<grouped>(sycl::nd_range<1>(8, 8),
                          [=](sycl::nd_item<1> it)
                              [[sycl::reqd_work_group_size(8), sycl::reqd_sub_group_size(32)]] {
                                p[it.get_global_id(0)] = it.get_sub_group().get_local_range()[0];
                              }).wait();
  q.single_task<local_name>([=] { p[2] = 1; });
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for<summed>(sycl::nd_range<1>(8, 4), sycl::reduction(p, sycl::plus<int>()),
                             [=](sycl::nd_item<1>, auto &sum) { sum += 1; });
  });
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for_work_group<nested_groups>(
        sycl::range<1>(1), sycl::range<1>(1),
        [=](sycl::group<1> g) { g.parallel_for_work_item([&](sycl::h_item<1>) { p[3] = 5; }); });
  });
  struct large {
    char bytes[256];
  };
  large *memory = sycl::malloc_shared<large>(4, q);
  q.fill(memory, large(), 4);  // a kernel of the headers' own
  q.wait();
  sycl::free(memory, q);
  EXPECT(sycl::get_kernel_id<local_name>() == sycl::get_kernel_id<local_name>());
}

static void check_ids() {
  const sycl::kernel_id twice = sycl::get_kernel_id<work::twice>();
  const sycl::kernel_id plus = sycl::get_kernel_id<work::plus_one>();
  check_reference_class<sycl::kernel_id>();
  check_equal(twice, plus);
  EXPECT(std::string(twice.get_name()) == "work::twice");
  EXPECT(std::string(plus.get_name()) == "work::plus_one");
  EXPECT(std::string(sycl::get_kernel_id<templated<long>>().get_name()) == "templated<long>");
  EXPECT(std::string(sycl::get_kernel_id<summed>().get_name()) == "summed");
  EXPECT(std::string(sycl::get_kernel_id<nested_groups>().get_name()) == "nested_groups");
  static_assert(std::is_same_v<decltype(sycl::get_kernel_ids()), std::vector<sycl::kernel_id>>);
  const auto all = sycl::get_kernel_ids();
  int found = 0;
  for (const auto &id : all) {
    found += id == twice || id == plus;
    EXPECT(std::string(id.get_name()).find("sycl::detail") == std::string::npos);
  }
  EXPECT(found == 2 && all.size() == 9);
}

// What is the same for bundles in all states.
template <bundle_state State>
static void check_queries(const sycl::context &ctx) {
  const auto devices = ctx.get_devices();
  const auto twice = sycl::get_kernel_id<work::twice>();
  check_reference_class<bundle<State>>();
  check_reference_class<sycl::device_image<State>>();

  const bundle<State> all = sycl::get_kernel_bundle<State>(ctx);
  EXPECT(!all.empty() && all.get_context() == ctx && all.get_devices() == devices);
  EXPECT(all.get_backend() == ctx.get_backend());
  const auto ids = all.get_kernel_ids();
  EXPECT(ids.size() == sycl::get_kernel_ids().size());
  for (const auto &id : ids) {
    EXPECT(all.has_kernel(id) && all.has_kernel(id, devices[0]));
  }
  EXPECT(all.template has_kernel<work::twice>());
  EXPECT(all.template has_kernel<work::twice>(devices[0]));
  EXPECT(!all.contains_specialization_constants() && !all.native_specialization_constant());

  // All overloads; devices count once.
  std::vector<sycl::device> twofold = devices;
  twofold.insert(twofold.end(), devices.begin(), devices.end());
  const auto some = [](const sycl::device_image<State> &image) {
    return image.has_kernel(sycl::get_kernel_id<work::twice>());
  };
  sycl::kernel_bundle one = sycl::get_kernel_bundle<State>(ctx, {twice});
  EXPECT(one.has_kernel(twice) && one == (sycl::get_kernel_bundle<State>(ctx, devices, {twice})));
  EXPECT(one == (sycl::get_kernel_bundle<work::twice, State>(ctx)));
  EXPECT(one == (sycl::get_kernel_bundle<work::twice, State>(ctx, twofold)));
  EXPECT(one == (sycl::get_kernel_bundle<State>(ctx, some)));
  EXPECT(one == (sycl::get_kernel_bundle<State>(ctx, twofold, some)));
  EXPECT(all == sycl::get_kernel_bundle<State>(ctx, twofold));
  const auto none = sycl::get_kernel_bundle<State>(ctx, [](auto) { return false; });
  EXPECT(none.empty() && none.begin() == none.end() && none.get_kernel_ids().empty());
  EXPECT(!none.has_kernel(twice) && !none.template has_kernel<work::twice>(devices[0]));
  EXPECT(none == sycl::get_kernel_bundle<State>(ctx, std::vector<sycl::kernel_id>()));
  check_equal(all, none);

  EXPECT(sycl::has_kernel_bundle<State>(ctx) && sycl::has_kernel_bundle<State>(ctx, devices));
  EXPECT(sycl::has_kernel_bundle<State>(ctx, {twice}));
  EXPECT(sycl::has_kernel_bundle<State>(ctx, devices, {twice}));
  EXPECT((sycl::has_kernel_bundle<work::twice, State>(ctx)));
  EXPECT((sycl::has_kernel_bundle<work::twice, State>(ctx, twofold)));

  // Images: iterators are of the bundle, also of its copies.
  using iterator = typename bundle<State>::device_image_iterator;
  using traits = std::iterator_traits<iterator>;
  static_assert(std::is_same_v<typename traits::reference, const sycl::device_image<State> &>);
  static_assert(std::is_default_constructible_v<iterator>);
  iterator at = all.begin();
  {
    const bundle<State> copy = all;
    EXPECT(copy.begin() == at);
  }
  std::size_t images = 0;
  for (const sycl::device_image<State> &image : all) {
    EXPECT(image == *at++ && image.has_kernel(twice) == image.has_kernel(twice, devices[0]));
    ++images;
  }
  EXPECT(images > 0 && at == all.end());
  EXPECT(sycl::get_kernel_bundle<State>(ctx, [&](const auto &) { return images-- != 0; }) == all);
  EXPECT(images == 0);

  EXPECT(sycl::join<State>({all, one, none, all}) == all && sycl::join<State>({}).empty());

  // What is refused.
  const std::vector<sycl::device> no_devices;
  EXPECT_ERRC(invalid, sycl::get_kernel_bundle<State>(ctx, no_devices));
  EXPECT_ERRC(invalid, sycl::get_kernel_bundle<State>(ctx, no_devices, {twice}));
  EXPECT_ERRC(invalid, sycl::get_kernel_bundle<State>(ctx, no_devices, some));
  EXPECT_ERRC(invalid, (sycl::get_kernel_bundle<work::twice, State>(ctx, no_devices)));
  EXPECT_ERRC(invalid, sycl::has_kernel_bundle<State>(ctx, no_devices));
  EXPECT_ERRC(invalid, sycl::has_kernel_bundle<State>(ctx, no_devices, {twice}));
  EXPECT_ERRC(invalid, (sycl::has_kernel_bundle<work::twice, State>(ctx, no_devices)));
  struct mistake {};
  int calls = 0;
  try {
    sycl::get_kernel_bundle<State>(ctx, [&](const auto &) -> bool {
      ++calls;
      throw mistake();
    });
    EXPECT(false);
  } catch (const mistake &) {
    EXPECT(calls == 1);
  }
  const sycl::context other(devices);
  EXPECT(all != sycl::get_kernel_bundle<State>(other));
  EXPECT_ERRC(invalid, sycl::join<State>({all, sycl::get_kernel_bundle<State>(other)}));
}

static void run_twice(sycl::queue &q, const bundle<executable> &from, int *p) {
  *p = 21;
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(from);
     cgh.single_task<work::twice>(work::twice{p});
   }).wait();
  EXPECT(*p == 42);
}

static void check_progress(sycl::queue &q, int *p) {
  const auto ctx = q.get_context();
  const auto devices = ctx.get_devices();
  const auto twice = sycl::get_kernel_id<work::twice>();
  const auto source = sycl::get_kernel_bundle<work::twice, input>(ctx);
  const sycl::property_list empty;
  for (const auto &compiled :
       {sycl::compile(source), sycl::compile(source, empty), sycl::compile(source, devices),
        sycl::compile(source, devices, empty), sycl::get_kernel_bundle<work::twice, object>(ctx)}) {
    EXPECT(compiled.has_kernel(twice) && compiled.get_devices() == devices);
    for (const auto &linked :
         {sycl::link(compiled), sycl::link(compiled, empty), sycl::link(compiled, devices),
          sycl::link({compiled, compiled}, devices, empty), sycl::link({compiled, compiled}),
          sycl::link(std::vector<bundle<object>>{compiled}, empty)}) {
      EXPECT(linked.has_kernel(twice) && linked.get_devices() == devices);
      run_twice(q, linked, p);
    }
  }
  for (const auto &built :
       {sycl::build(source), sycl::build(source, empty), sycl::build(source, devices),
        sycl::build(source, devices, empty), sycl::get_kernel_bundle<executable>(ctx)}) {
    EXPECT(built.has_kernel(twice) && built.get_context() == ctx);
    run_twice(q, built, p);
  }
  const auto compiled = sycl::compile(source);
  const std::vector<sycl::device> none;
  EXPECT_ERRC(invalid, sycl::compile(source, none));
  EXPECT_ERRC(invalid, sycl::build(source, none));
  EXPECT_ERRC(invalid, sycl::link(compiled, none));
  EXPECT_ERRC(invalid, sycl::link(std::vector<bundle<object>>{compiled}, none));
  EXPECT_ERRC(invalid, sycl::link(std::vector<bundle<object>>(), devices));
  EXPECT_ERRC(invalid, sycl::link(std::vector<bundle<object>>()));
}

// Two devices of one context: halves of the first device.
static void check_parts(const sycl::device &whole) {
  const std::size_t units = whole.get_info<sycl::info::device::max_compute_units>();
  if (units < 2 || whole.get_info<sycl::info::device::partition_max_sub_devices>() < 2) {
    EXPECT(units < 2 || whole.get_backend() != sycl::backend::tenon_cpu);
    return;
  }
  const auto parts =
      whole.create_sub_devices<sycl::info::partition_property::partition_by_counts>({1, units - 1});
  const sycl::context both(parts), first(parts[0]);
  const auto twice = sycl::get_kernel_id<work::twice>();
  const auto source = sycl::get_kernel_bundle<input>(both);
  EXPECT(source.get_devices() == parts && source.has_kernel(twice, parts[1]));
  const auto second = sycl::compile(source, {parts[1], parts[1]});
  EXPECT(second.get_devices() == std::vector<sycl::device>{parts[1]});
  EXPECT(!second.has_kernel(twice, parts[0]) && second.has_kernel(twice, parts[1]));
  EXPECT_ERRC(invalid, sycl::link(second, {parts[0]}));
  EXPECT_ERRC(invalid, sycl::link({second, sycl::compile(source)}, {parts[0]}));
  EXPECT_ERRC(invalid, sycl::link({second, sycl::compile(source, {parts[0]})}));
  EXPECT(sycl::link({second, sycl::compile(source)}).get_devices() == second.get_devices());
  EXPECT_ERRC(invalid, sycl::join<object>({second, sycl::compile(source)}));
  EXPECT_ERRC(invalid, sycl::get_kernel_bundle<input>(first, {parts[1]}));
  EXPECT_ERRC(invalid, sycl::has_kernel_bundle<input>(first, {parts[1]}));
  EXPECT_ERRC(invalid, sycl::compile(sycl::get_kernel_bundle<input>(first), {parts[1]}));
  EXPECT_ERRC(invalid, sycl::build(sycl::get_kernel_bundle<input>(first), {parts[1]}));

  // A device that is a part of the context's; and a bundle for one of the context's devices only.
  const sycl::context ctx(whole);
  const auto of_part = sycl::get_kernel_bundle<executable>(ctx, {parts[0]});
  EXPECT(of_part.get_devices() == std::vector<sycl::device>{parts[0]});
  sycl::queue on_first(both, parts[0]), on_second(both, parts[1]);
  int *p = sycl::malloc_shared<int>(1, on_first);
  run_twice(on_first, sycl::build(source), p);
  run_twice(on_second, sycl::build(source), p);
  run_twice(on_second, sycl::link(second), p);
  EXPECT_ERRC(kernel_not_supported, run_twice(on_first, sycl::link(second), p));
  const auto kernel = sycl::link(second).get_kernel<work::twice>();
  using size = sycl::info::kernel_device_specific::work_group_size;
  EXPECT(kernel.get_info<size>(parts[1]) > 0);
  EXPECT_ERRC(invalid, kernel.get_info<size>(parts[0]));
  sycl::free(p, on_first);
}

static void check_kernels(const sycl::context &ctx) {
  namespace info = sycl::info::kernel_device_specific;
  check_reference_class<sycl::kernel>();
  const auto all = sycl::get_kernel_bundle<executable>(ctx);
  const sycl::kernel twice = all.get_kernel<work::twice>();
  const sycl::kernel grouped_kernel = all.get_kernel(sycl::get_kernel_id<grouped>());
  check_equal(twice, grouped_kernel);
  EXPECT(twice == all.get_kernel<work::twice>() && twice.get_kernel_bundle() == all);
  EXPECT(twice.get_context() == ctx && twice.get_backend() == ctx.get_backend());

  const sycl::device dev = ctx.get_devices()[0];
  EXPECT(twice.get_info<sycl::info::kernel::attributes>().empty());
  EXPECT(!grouped_kernel.get_info<sycl::info::kernel::attributes>().empty());
  EXPECT_ERRC(invalid, twice.get_info<sycl::info::kernel::num_args>());
  EXPECT_ERRC(invalid, twice.get_info<info::global_work_size>(dev));
  const std::size_t most = twice.get_info<info::work_group_size>(dev);
  EXPECT(most >= 1 && most <= dev.get_info<sycl::info::device::max_work_group_size>());
  EXPECT(twice.get_info<info::preferred_work_group_size_multiple>(dev) <= most);
  EXPECT(twice.get_info<info::compile_work_group_size>(dev) == sycl::range<3>(0, 0, 0));
  EXPECT(grouped_kernel.get_info<info::compile_work_group_size>(dev) == sycl::range<3>(1, 1, 8));
  EXPECT(grouped_kernel.get_info<info::compile_sub_group_size>(dev) == 32);
  EXPECT(twice.get_info<info::compile_sub_group_size>(dev) == 0);
  EXPECT(twice.get_info<info::compile_num_sub_groups>(dev) == 0);
  EXPECT(twice.get_info<info::max_sub_group_size>(dev) >= 1);
  const auto groups = twice.get_info<info::max_num_sub_groups>(dev);
  EXPECT(groups >= 1 && groups <= dev.get_info<sycl::info::device::max_num_sub_groups>());
  static_assert(std::is_same_v<decltype(twice.get_info<info::private_mem_size>(dev)), std::size_t>);
  EXPECT(twice.get_info<info::private_mem_size>(dev) < (std::size_t{1} << 30));
  EXPECT_ERRC(backend_mismatch, twice.get_backend_info<sycl::info::kernel::attributes>());

  const auto none = sycl::get_kernel_bundle<executable>(ctx, [](auto) { return false; });
  EXPECT_ERRC(invalid, none.get_kernel(sycl::get_kernel_id<work::twice>()));
  EXPECT_ERRC(invalid, none.get_kernel<work::twice>());

  EXPECT(sycl::is_compatible<work::twice>(dev));
  EXPECT(sycl::is_compatible({sycl::get_kernel_id<grouped>(), twice.tn_get_id()}, dev));
  EXPECT(sycl::is_compatible(std::vector<sycl::kernel_id>(), dev));
  EXPECT(dev.get_info<sycl::info::device::built_in_kernel_ids>().empty());
}

static void check_command_groups(sycl::queue &q, int *p) {
  const auto ctx = q.get_context();
  const auto all = sycl::get_kernel_bundle<executable>(ctx);
  const auto none = sycl::get_kernel_bundle<executable>(ctx, [](auto) { return false; });
  EXPECT_ERRC(kernel_not_supported, run_twice(q, none, p));
  EXPECT_ERRC(invalid,
              run_twice(q, sycl::get_kernel_bundle<executable>(sycl::context(q.get_device())), p));

  // The launch itself throws, and nothing runs; another bundle can take its place.
  *p = 3;
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(none);
     EXPECT_ERRC(kernel_not_supported, cgh.parallel_for(sycl::range<1>(1), work::plus_one{p}));
   }).wait();
  EXPECT(*p == 3);
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(none);
     EXPECT_ERRC(kernel_not_supported, cgh.parallel_for(sycl::range<1>(1), work::plus_one{p}));
     cgh.use_kernel_bundle(all);
     cgh.use_kernel_bundle(all);
   }).wait();
  EXPECT(*p == 4);
  EXPECT_ERRC(kernel_not_supported, q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(1), work::plus_one{p});
    cgh.use_kernel_bundle(none);
  }));
  // What is no kernel in the source does not need to be in the bundle.
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(none);
     cgh.memset(p, 0, sizeof(int));
   }).wait();
  struct large {
    int values[50];
  };
  auto *memory = sycl::malloc_shared<large>(2, q);
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(none);
     cgh.fill(memory, large{{9}}, 2);
   }).wait();
  EXPECT(*p == 0 && memory[1].values[0] == 9);
  sycl::free(memory, q);
  // Accessors, local memory and reductions go their way.
  int value = 1;
  {
    sycl::buffer<int> buffer(&value, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor acc(buffer, cgh);
      sycl::local_accessor<int, 1> local(1, cgh);
      cgh.use_kernel_bundle(all);
      cgh.parallel_for<class with_memory>(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
        local[0] = acc[0] + 1;
        acc[0] = local[0] * 10;
      });
    });
  }
  EXPECT(value == 20);
  *p = 2;
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(all);
     cgh.parallel_for<class of_bundle>(sycl::nd_range<1>(8, 4),
                                       sycl::reduction(p, sycl::plus<int>()),
                                       [=](sycl::nd_item<1>, auto &sum) { sum += 1; });
   }).wait();
  EXPECT(*p == 10);
}

int main() {
  sycl::queue q;
  const sycl::context ctx = q.get_context();
  check_ids();
  check_queries<input>(ctx);
  check_queries<object>(ctx);
  check_queries<executable>(ctx);
  int *p = sycl::malloc_shared<int>(8, q);
  check_progress(q, p);
  check_parts(q.get_device());
  check_kernels(ctx);
  check_command_groups(q, p);
  launch_all(q, p);
  EXPECT(p[3] == 5);
  sycl::free(p, q);
  return failures != 0;
}
