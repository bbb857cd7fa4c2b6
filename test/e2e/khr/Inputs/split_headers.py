# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, for each header of sycl_khr_split_headers, a source that includes no other header and
uses the names that the extension lists for it."""
import concurrent.futures
import os
import subprocess
import sys

USES = {
    "version": """
#if SYCL_KHR_SPLIT_HEADERS != 1 || SYCL_LANGUAGE_VERSION < 202012 || SYCL_BACKEND_OPENCL != 1
#error "a macro is missing"
#endif
#if !defined(SYCL_EXTERNAL) || !defined(SYCL_EXT_ONEAPI_GRAPH) || !defined(SYCL_KHR_QUEUE_FLUSH)
#error "a macro is missing"
#endif
SYCL_EXTERNAL int external();""",
    "queue": """
sycl::property_list used(sycl::property::queue::in_order(), sycl::property::queue::enable_profiling());
int f(sycl::queue &q) { return q.get_info<sycl::info::queue::device>().is_cpu(); }""",
    "handler": "void f(sycl::handler &h, const sycl::event &e) { h.depends_on(e); h.single_task([] {}); }",
    "event": """
auto f(const sycl::event &e) {
  (void)e.get_info<sycl::info::event::reference_count>();
  (void)e.get_profiling_info<sycl::info::event_profiling::command_end>();
  return e.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::running;
}""",
    "device": """
int f(const sycl::device &d) {
  const auto gpu = sycl::gpu_selector_v;
  const auto cpu = sycl::cpu_selector_v;
  const auto accelerator = sycl::accelerator_selector_v;
  const sycl::device other(sycl::default_selector_v);
  const sycl::device another(sycl::aspect_selector(sycl::aspect::fp64));
  return d.get_info<sycl::info::device::name>().size() + d.has(sycl::aspect::cpu) + gpu(d) + cpu(d) +
         accelerator(d) + (d.get_info<sycl::info::device::local_mem_type>() ==
                           sycl::info::local_mem_type::local) +
         static_cast<int>(sycl::info::partition_property::partition_equally) +
         static_cast<int>(sycl::info::partition_affinity_domain::numa) +
         static_cast<int>(sycl::info::global_mem_cache_type::none) +
         static_cast<int>(sycl::info::fp_config::fma) +
         static_cast<int>(sycl::info::execution_capability::exec_kernel);
}""",
    "platform": "auto f(const sycl::platform &p) { return p.get_info<sycl::info::platform::name>(); }",
    "context": """
auto f(const sycl::context &c) { return c.get_info<sycl::info::context::devices>().size(); }
auto g(const sycl::platform &p) { return p.khr_get_default_context() == sycl::context(); }""",
    "index_space": """
auto f(sycl::item<2> i, sycl::nd_item<3> n, sycl::nd_range<1> r) {
  return i.get_id()[0] + n.get_global_id(1) + r.get_global_range().size() + sycl::id<1>(3)[0] +
         sycl::range<2>(1, 2).size();
}""",
    "usm": """
void f(sycl::usm_allocator<int, sycl::usm::alloc::shared> &a) { (void)a.allocate(1); }
template <class Queue> void g(const Queue &q) {
  sycl::free(sycl::malloc_device<int>(1, q), q);
  sycl::free(sycl::aligned_alloc_host(8, 1, q), q);
  sycl::free(sycl::malloc(1, q, sycl::usm::alloc::host), q);
}
auto h(const sycl::context &c) {
  return sycl::get_pointer_type(nullptr, c) == sycl::usm::alloc::unknown &&
         sycl::get_pointer_device(nullptr, c).is_cpu();
}""",
    "buffer": """
sycl::property_list used(sycl::property::buffer::use_host_ptr{});
auto f(sycl::buffer<int, 1, sycl::buffer_allocator<int>> &b) { return b.size(); }
using mutex = sycl::property::buffer::use_mutex;
using bound = sycl::property::buffer::context_bound;""",
    "accessor": """
template <class T> using device_accessor = sycl::accessor<T, 1, sycl::access_mode::read,
    sycl::target::device, sycl::access::placeholder::false_t>;
static_assert(sycl::access::target::device == sycl::target::device);
int f(device_accessor<int> a, sycl::local_accessor<int, 1> l, sycl::host_accessor<int> h) {
  (void)sycl::read_only; (void)sycl::write_only_host_task; (void)sycl::no_init;
  return static_cast<int>(a.size() + l.size() + h.size() + sizeof(sycl::property::no_init) +
      static_cast<int>(sycl::access::mode::write));
}""",
    "atomic": """
int f(int &x) {
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> a(x);
  sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
  return a.load();
}
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
int g(sycl::atomic<int> a) { return sycl::atomic_load(a) + sycl::atomic_fetch_and(a, 3); }""",
    "half": "sycl::half f(sycl::half x) { return x + sycl::half(1.5f); }",
    "vec": """
sycl::float4 f(sycl::vec<int, 4> x) {
  return x.swizzle<sycl::elem::w, 0, 1, 2>().convert<float, sycl::rounding_mode::rte>() +
         sycl::vec<float, 4>(x.lo()[0]);
}""",
    "marray": "auto f(sycl::mfloat4 x, sycl::mbool2 b) { return x + sycl::marray<float, 4>(b[0]); }",
    "math": """
#define TEST_ALL""",
    "builtins_math": "float f(float x) { return sycl::sin(x) + sycl::native::exp(x) + sycl::half_precision::cos(x); }",
    "builtins_integer": "int f(int x) { return sycl::clz(x) + sycl::mul24(x, x) + sycl::abs_diff(x, 2); }",
    "builtins_common": "float f(float x) { return sycl::clamp(x, 0.f, 1.f) + sycl::mix(x, x, x) + sycl::sign(x); }",
    "builtins_geometric": "float f(float x) { return sycl::dot(x, x) + sycl::length(x) + sycl::distance(x, x); }",
    "builtins_relational": "bool f(float x) { return sycl::isnan(x) || sycl::signbit(x) || sycl::select(x, x, 1) > 0; }",
    "groups": """
template <int D> void f(sycl::group<D> g, sycl::sub_group s, sycl::device_event e) {
  e.wait();
  sycl::group_barrier(g);
  sycl::group_barrier(s, sycl::memory_scope::device);
}
template void f<2>(sycl::group<2>, sycl::sub_group, sycl::device_event);""",
    "group_algorithms": """
template <class Group, class F> int f(Group g, int *from, F op) {
  int x = sycl::group_broadcast(g, *from) + sycl::any_of_group(g, true) + sycl::all_of_group(g, true) +
          sycl::none_of_group(g, true) + sycl::reduce_over_group(g, 1, op) +
          sycl::exclusive_scan_over_group(g, 1, op) + sycl::inclusive_scan_over_group(g, 1, op) +
          sycl::joint_reduce(g, from, from + 1, op);
  const auto holds = [](int y) { return y > 0; };
  x += sycl::joint_any_of(g, from, from + 1, holds) + sycl::joint_all_of(g, from, from + 1, holds) +
       sycl::joint_none_of(g, from, from + 1, holds);
  sycl::joint_exclusive_scan(g, from, from + 1, from, op);
  sycl::joint_inclusive_scan(g, from, from + 1, from, op);
  return x + sycl::shift_group_left(g, x) + sycl::shift_group_right(g, x) +
         sycl::permute_group_by_xor(g, x, 1) + sycl::select_from_group(g, x, 0);
}""",
    "multi_ptr": """
sycl::global_ptr<int> a(nullptr);
sycl::raw_private_ptr<int> b;
sycl::decorated_local_ptr<int> c;
sycl::multi_ptr<int, sycl::access::address_space::generic_space, sycl::access::decorated::yes> d;""",
    "functional": """
int f(int x) {
  return sycl::plus<>()(x, x) + sycl::multiplies<int>()(x, x) + sycl::bit_and<>()(x, x) +
         sycl::bit_or<>()(x, x) + sycl::bit_xor<>()(x, x) + sycl::logical_and<>()(x, x) +
         sycl::logical_or<>()(x, x) + sycl::minimum<>()(x, x) + sycl::maximum<>()(x, x);
}""",
    "reduction": """
template <class Reducer> void f(Reducer &r) { r.combine(1); }
auto g(int *x) {
  return sycl::reduction(x, sycl::plus<>(),
                         {sycl::property::reduction::initialize_to_identity{}});
}
template <class T, int D, std::size_t E, class I>
void h(sycl::reducer<T, sycl::plus<T>, D, E, I> &r) { ++r; }""",
    "stream": """
void f(const sycl::stream &out) {
  out << 1 << sycl::setw(3) << sycl::setprecision(2) << sycl::hex << sycl::flush << sycl::endl;
  out << sycl::stream_manipulator::dec;
}""",
    "type_traits": """
struct mine {};
static_assert(!sycl::is_property<mine>::value && !sycl::is_property_v<mine> &&
              !sycl::is_property_of<mine, int>::value && !sycl::is_property_of_v<mine, int>);
static_assert(!sycl::is_group<int>::value && !sycl::is_group_v<int>);
static_assert(sycl::is_device_copyable<int>::value && sycl::is_device_copyable_v<int>);
static_assert(std::is_same_v<sycl::remove_decoration<int *>::type, int *> &&
              std::is_same_v<sycl::remove_decoration_t<int *>, int *>);
static_assert(sycl::known_identity<sycl::plus<>, int>::value == 0 &&
              sycl::known_identity_v<sycl::plus<>, int> == 0 &&
              sycl::has_known_identity<sycl::plus<>, int>::value &&
              sycl::has_known_identity_v<sycl::plus<>, int>);
constexpr bool a = sycl::any_device_has<sycl::aspect::fp16>::value ||
                   sycl::any_device_has_v<sycl::aspect::fp16>;
constexpr bool b = sycl::all_devices_have<sycl::aspect::fp16>::value ||
                   sycl::all_devices_have_v<sycl::aspect::fp16>;""",
    "property_list": "sycl::property_list none;",
    "kernel_bundle": """
sycl::specialization_id<int> id(3);
template <class Name> void f(const sycl::context &c, const std::vector<sycl::device> &d) {
  auto input = sycl::get_kernel_bundle<Name, sycl::bundle_state::input>(c);
  auto object = sycl::compile(input);
  auto ready = sycl::link(object);
  (void)sycl::build(input);
  (void)sycl::join(std::vector{ready, ready});
  (void)sycl::has_kernel_bundle<sycl::bundle_state::executable>(c, d);
  (void)sycl::is_compatible<Name>(d[0]);
  sycl::kernel_id id = sycl::get_kernel_id<Name>();
  (void)sycl::get_kernel_ids();
  sycl::kernel k = ready.get_kernel(id);
  (void)k.get_info<sycl::info::kernel::num_args>();
  (void)k.template get_info<sycl::info::kernel_device_specific::work_group_size>(d[0]);
  for (const sycl::device_image<sycl::bundle_state::executable> &each : ready) (void)each;
}
bool g(sycl::kernel_bundle<sycl::bundle_state::executable> b) { return b.empty(); }""",
    "kernel_handler": "using h = sycl::kernel_handler; static_assert(sizeof(h) > 0);",
    "image": """
void f(sycl::unsampled_image<2> &u, sycl::sampled_image<1> &s) {
  (void)u.size();
  (void)s.size();
}
sycl::image_sampler how{sycl::addressing_mode::none, sycl::coordinate_normalization_mode::normalized,
                        sycl::filtering_mode::linear};
using one = sycl::unsampled_image_accessor<sycl::vec<float, 4>, 2, sycl::access_mode::read,
                                           sycl::image_target::device>;
using two = sycl::sampled_image_accessor<sycl::vec<float, 4>, 2, sycl::image_target::host_task>;
using three = sycl::host_unsampled_image_accessor<sycl::vec<float, 4>, 2, sycl::access_mode::read>;
using four = sycl::host_sampled_image_accessor<sycl::vec<float, 4>, 2>;
using five = sycl::property::image::use_host_ptr;
sycl::image_allocator allocator;
auto none = sycl::no_init;""",
    "exception": """
void f(sycl::exception_list list) {
  for (const auto &each : list) {
    try { std::rethrow_exception(each); } catch (const sycl::exception &e) {
      (void)(e.code() == sycl::make_error_code(sycl::errc::invalid));
      (void)(e.category() == sycl::sycl_category());
    }
  }
}
sycl::async_handler handler = f;
static_assert(std::is_error_code_enum<sycl::errc>::value);""",
    "hierarchical_parallelism": """
int f(sycl::h_item<1> i, sycl::private_memory<int, 1> &m) { return m(i); }""",
    "interop_handle": "auto f(const sycl::interop_handle &h) { return h.get_backend(); }",
    "backend": """
template <sycl::backend B> using native_device = sycl::backend_return_t<B, sycl::device>;
template <sycl::backend B> using from_device = sycl::backend_input_t<B, sycl::device>;
using traits = sycl::backend_traits<sycl::backend::opencl>;
auto f(const sycl::device &d) { return sycl::get_native<sycl::backend::opencl>(d); }
auto g(native_device<sycl::backend::opencl> d) {
  return sycl::make_device<sycl::backend::opencl>(d).is_cpu();
}""",
    "bit": "auto f(float x) { return sycl::bit_cast<int>(x); }",
    "span": "int f(sycl::span<int, sycl::dynamic_extent> s) { return s[0]; }",
    "byte": """
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
sycl::byte value;""",
}
USES["math"] = "\n".join(f"namespace all{i} {{ {USES[name]} }}" for i, name in enumerate(
    ("builtins_math", "builtins_integer", "builtins_common", "builtins_geometric", "builtins_relational")))

# Where sycl_khr_split_headers is supported, these come with the extension of their name.
EXTENSIONS = {
    "static_addrspace_cast": """
auto f(int *p) {
  return sycl::khr::static_addrspace_cast<sycl::access::address_space::global_space>(p);
}""",
    "dynamic_addrspace_cast": """
auto f(int *p) {
  return sycl::khr::dynamic_addrspace_cast<sycl::access::address_space::local_space>(p);
}""",
    "group_interface": """
template <int D> bool f(sycl::group<D> g) {
  const sycl::khr::work_group<D> mine = g;
  return sycl::khr::leader_of(mine) && get_member_item(mine).size() == 1;
}
template bool f(sycl::group<2>);
std::uint32_t g(sycl::khr::sub_group s) { return s.max_size(); }""",
    "max_work_group_queries": """
auto f(const sycl::device &d) {
  return d.get_info<sycl::khr::info::device::max_work_group_range<2>>()[0] +
         d.get_info<sycl::khr::info::device::max_work_group_range_size>();
}""",
    "work_item_queries": """
auto f() {
  return sycl::khr::this_nd_item<2>().get_global_id() == sycl::khr::this_group<2>().get_group_id() &&
         sycl::khr::this_sub_group().leader();
}""",
}


def main():
    command, include, scratch = sys.argv[3:], sys.argv[1], sys.argv[2]
    os.makedirs(scratch, exist_ok=True)
    folder = os.path.join(include, "sycl", "khr", "split_headers")
    listed = {name + ".hpp" for name in USES}
    if set(os.listdir(folder)) != listed:
        sys.exit(f"not as the extension lists them: {sorted(set(os.listdir(folder)) ^ listed)}")
    sources = {f"split_headers/{name}": text for name, text in USES.items()} | EXTENSIONS

    def compile_one(name):
        path = os.path.join(scratch, name.replace("/", "_") + ".cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#include <sycl/khr/{name}.hpp>\n#include <sycl/khr/{name}.hpp>\n"
                       "#if SYCL_KHR_SPLIT_HEADERS != 1\n#error version.hpp is not included\n#endif\n"
                       f"{sources[name]}\n")
        done = subprocess.run([*command, path], capture_output=True, text=True)
        return "" if done.returncode == 0 else f"{name}:\n{done.stderr[:3000]}"

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failed = [text for text in pool.map(compile_one, sources) if text]
    print("\n".join(failed))
    sys.exit(1 if failed else 0)


main()
