# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Template arguments at which the templates of the synopses are checked."""

# Types that stand for those of a program.
PROLOGUE = """
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>
#include <sycl/backend/opencl.hpp>
#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace synopsis {
class name;
struct task { void operator()() const {} };
struct host_work { void operator()() const {} };
struct interop_work { void operator()(sycl::interop_handle) const {} };
template <int D> struct item_work { void operator()(sycl::item<D>) const {} };
template <int D> struct nd_work { void operator()(sycl::nd_item<D>) const {} };
template <int D> struct group_work { void operator()(sycl::group<D>) const {} };
struct group_function { int operator()(sycl::sub_group) const { return 0; } };
struct command_group { void operator()(sycl::handler &) const {} };
struct selector { int operator()(const sycl::device &) const { return 1; } };
struct image_choice {
  bool operator()(const sycl::device_image<sycl::bundle_state::executable> &) const { return true; }
};
struct predicate { bool operator()(int) const { return true; } };
inline constexpr sycl::specialization_id<int> constant(1);
// Converts to T, and is no T: an argument for parameters that are not deduced.
template <class T> struct converts {
  operator T() const;
};
template <class T> struct converts_to_reference {
  operator T &() const;
};
template <class S> struct taker { static void take(S); };
template <class S, class... A>
concept list_initializable = requires { taker<S>::take({std::declval<A>()...}); };
template <class S, class T>
concept takes_list = requires { taker<S>::take({std::declval<T>()}); };
}  // namespace synopsis
"""

# By name of the template parameter; a list is a pack.
BY_NAME = {
    "T": "int", "DataT": "int", "ElementType": "int", "Dimensions": "1", "Dims": "1", "Dim": "1",
    "NumElements": "4", "AllocatorT": "sycl::buffer_allocator<int>",
    "KernelName": "synopsis::name", "KernelType": "synopsis::task", "SpecName": "synopsis::constant",
    "DeviceSelector": "synopsis::selector", "Backend": "sycl::backend::opencl",
    "State": "sycl::bundle_state::executable", "Selector": "synopsis::image_choice",
    "BinaryOperation": "sycl::plus<int>", "BinaryOp": "sycl::plus<int>", "AccumulatorT": "int",
    "Group": "sycl::sub_group", "Ptr": "int *", "InPtr": "int *", "OutPtr": "int *",
    "Predicate": "synopsis::predicate", "V": "int", "Args": ["int"], "Ts": ["int", "int"],
    "Properties": ["sycl::property::queue::in_order"], "Aspect": "sycl::aspect::cpu",
    "A": "sycl::aspect::cpu", "SrcT": "int", "DestT": "int", "SrcDims": "1", "DestDims": "1",
    "SrcDim": "1", "DestDim": "1", "SrcMode": "sycl::access_mode::read",
    "DestMode": "sycl::access_mode::write", "Mode": "sycl::access_mode::read_write",
    "SrcTgt": "sycl::target::device", "DestTgt": "sycl::target::device",
    "Tgt": "sycl::target::device", "AccessTarget": "sycl::target::device",
    "Targ": "sycl::target::device", "AccessMode": "sycl::access_mode::read_write",
    "AccMode": "sycl::access_mode::read", "IsPlaceholder": "sycl::access::placeholder::false_t",
    "isPlaceholder": "sycl::access::placeholder::false_t",
    "IsSrcPlaceholder": "sycl::access::placeholder::false_t",
    "IsDestPlaceholder": "sycl::access::placeholder::false_t",
    "SrcIsPlaceholder": "sycl::access::placeholder::false_t",
    "DestIsPlaceholder": "sycl::access::placeholder::false_t",
    "IsDecorated": "sycl::access::decorated::no", "DecorateAddress": "sycl::access::decorated::no",
    "Space": "sycl::access::address_space::global_space",
    "AS": "sycl::access::address_space::global_space",
    "AddressSpace": "sycl::access::address_space::global_space",
    "ToSpace": "sycl::access::address_space::global_space",
    "DecorateAddress": "sycl::access::decorated::no",
    "Property": "sycl::property::queue::in_order", "SyclObject": "sycl::queue",
    "SyclType": "sycl::device", "ConvertT": "float", "AsT": "sycl::vec<unsigned, 4>",
    "swizzleIndexes": ["1", "0"], "InputIterator": "const int *", "Container": "std::vector<int>",
    "Destination": "int *", "ReinterpretT": "unsigned", "ReinterpretDim": "1",
    "DeductionTagT": "std::remove_const_t<decltype(sycl::read_write)>",
    "TagT": "decltype(sycl::read_write)",
    "WorkgroupFunctionType": "synopsis::group_work<1>", "WithOffset": "false",
    "CoordT": "int", "AccDataT": "int", "DefaultOrder": "sycl::memory_order::relaxed",
    "DefaultScope": "sycl::memory_scope::device", "Order": "sycl::memory_order::relaxed",
    "Scope": "sycl::memory_scope::device", "addressSpace": "sycl::access::address_space::global_space",
    "ArgTN": ["int", "int", "int", "int"], "U": ["int", "int"],
    "AspectList": ["sycl::aspect", "sycl::aspect"], "Extent": "4", "BufferT": "sycl::buffer<int, 1>",
    "WorkItemFunctionT": "synopsis::item_work<1>", "flexibleRange": "sycl::range<1>",
    "workItemFunctionT": "synopsis::hierarchical", "dataT": "int", "eventTN": ["sycl::device_event"],
    "NonScalar": "sycl::vec<float, 4>", "Rest": ["const synopsis::item_work<1> &"],
    "NonScalar1": "sycl::vec<float, 4>", "NonScalar2": "sycl::vec<float, 4>",
    "NonScalar3": "sycl::vec<float, 4>", "OperationT": "sycl::plus<int>",
    "PointerT": "int", "MemoryOrder": "sycl::memory_order::relaxed", "DestDataT": "int",
    "SrcDataT": "const int", "EventTN": ["sycl::device_event", "sycl::device_event"],
    "AccTarget": "sycl::target::device", "Scalar": "int",
    "Prop": "sycl::info::partition_property::partition_equally", "ReadOrder": "sycl::memory_order::relaxed",
    "AllocKind": "sycl::usm::alloc::shared", "openCLT": "cl_device_id",
    "RoundingMode": "sycl::rounding_mode::automatic",
}

# By class: the argument lists of a class template; a declaration holds when it holds at one of them.
BY_CLASS = {
    "buffer": ["int, 1", "int, 2", "int, 3"],
    "accessor": ["int, 1, sycl::access_mode::read_write, sycl::target::device",
                 "int, 2, sycl::access_mode::read_write, sycl::target::device",
                 "int, 0, sycl::access_mode::read_write, sycl::target::device",
                 "const int, 1, sycl::access_mode::read, sycl::target::device",
                 "int, 1, sycl::access_mode::read_write, sycl::target::host_task",
                 "int, 1, sycl::access_mode::atomic, sycl::target::device",
                 "int, 0, sycl::access_mode::atomic, sycl::target::device"],
    "host_accessor": ["int, 1", "int, 2", "int, 0", "const int, 1"],
    "local_accessor": ["int, 1", "int, 2", "int, 0", "const int, 1"],
    "vec": ["int, 4", "int, 1", "float, 4", "int, 16", "std::byte, 4"],
    "marray": ["int, 4", "int, 1", "float, 4"],
    "id": ["1", "2", "3"], "range": ["1", "2", "3"], "nd_range": ["1", "2", "3"],
    "item": ["1", "1, false", "2", "3, false"], "nd_item": ["1", "2", "3"], "group": ["1", "2", "3"],
    "h_item": ["1", "2", "3"], "private_memory": ["int", "int, 2"],
    "kernel_bundle": ["sycl::bundle_state::executable", "sycl::bundle_state::input",
                      "sycl::bundle_state::object"],
    "device_image": ["sycl::bundle_state::executable", "sycl::bundle_state::input"],
    "multi_ptr": ["int, sycl::access::address_space::global_space, sycl::access::decorated::no",
                  "int, sycl::access::address_space::generic_space, sycl::access::decorated::no",
                  "const int, sycl::access::address_space::local_space, sycl::access::decorated::yes",
                  "int, sycl::access::address_space::local_space, sycl::access::decorated::yes",
                  "void, sycl::access::address_space::global_space, sycl::access::decorated::no",
                  "int, sycl::access::address_space::constant_space, sycl::access::decorated::no",
                  "int, sycl::access::address_space::global_space, sycl::access::decorated::legacy"],
    "atomic_ref": [f"{t}, sycl::memory_order::relaxed, sycl::memory_scope::device"
                   for t in ("int", "float", "int *")],
    "unsampled_image": ["1", "2", "3"], "sampled_image": ["1", "2", "3"],
    "unsampled_image_accessor": ["sycl::int4, 2, sycl::access_mode::read",
                                 "sycl::int4, 2, sycl::access_mode::write"],
    "host_unsampled_image_accessor": ["sycl::int4, 2, sycl::access_mode::read",
                                      "sycl::int4, 2, sycl::access_mode::write"],
    "sampled_image_accessor": ["sycl::float4, 2"], "host_sampled_image_accessor": ["sycl::float4, 2"],
    "specialization_id": ["int"], "usm_allocator": ["int, sycl::usm::alloc::shared"],
    "atomic": ["int", "float"],
    "bit_and": ["int", "void"], "bit_or": ["int", "void"], "bit_xor": ["int", "void"],
    "plus": ["int", "void"], "multiplies": ["int", "void"], "minimum": ["int", "void"],
    "maximum": ["int", "void"], "logical_and": ["bool", "void"], "logical_or": ["bool", "void"],
    "backend_traits": ["sycl::backend::opencl"],
    "known_identity": ["sycl::plus<int>, int"], "has_known_identity": ["sycl::plus<int>, int"],
    "remove_decoration": ["int *"],
    ("accessorDeprecatedConstant.h", "accessor"): [
        f"const int, {d}, sycl::access_mode::read, sycl::target::constant_buffer" for d in (1, 2, 0)]
    + ["int, 1, sycl::access_mode::read, sycl::target::constant_buffer"],
    ("accessorDeprecatedHost.h", "accessor"): [
        f"int, {d}, sycl::access_mode::{m}, sycl::target::host_buffer"
        for d in (1, 2, 0) for m in ("read_write", "read")],
    ("accessorDeprecatedLocal.h", "accessor"): [
        f"int, {d}, sycl::access_mode::{m}, sycl::target::local"
        for d in (1, 2, 0) for m in ("read_write", "atomic")],
}

# By class: names that its synopsis uses and the text explains.
CLASS_NAMES = {
    "vec": "using RET = std::conditional_t<sizeof(DataT) == 1, std::int8_t, std::int32_t>;",
}

POINTED = [{"Ptr": form.format(t), "group": group}
           for t in ("float", "double", "sycl::half")
           for group, form in (("pointer", "{} *"), (
               "multi_ptr", "sycl::multi_ptr<{}, sycl::access::address_space::global_space, "
               "sycl::access::decorated::yes>"))]

# By a name in the arguments of a specialization that is no parameter of it.
SPECIAL_NAMES = {
    "VoidType": "using VoidType = void;", "Integral": "using Integral = int;",
    "Floating": "using Floating = float;",
}

# (class or "", function) to what its parameters are, instead of BY_NAME; several are tried.
BY_FUNCTION = {
    ("", "fract"): POINTED,
    ("", "modf"): POINTED,
    ("", "sincos"): POINTED,
    ("", "get_native"): [{"T": "sycl::device"}],
    ("", "has_extension"): [{}],
    ("queue", "submit"): [{"T": "synopsis::command_group"}],
    ("handler", "host_task"): [{"T": "synopsis::host_work"}, {"T": "synopsis::interop_work"}],
    ("handler", "set_arg"): [{"T": "int &"}],
    ("handler", "set_args"): [{"Ts": ["int &", "const float &"]}],
    ("queue", "get_info"): [{"Param": "sycl::info::queue::device"}],
    ("queue", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("platform", "get_info"): [{"Param": "sycl::info::platform::name"}],
    ("platform", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("device", "get_info"): [{"Param": "sycl::info::device::name"}],
    ("device", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("context", "get_info"): [{"Param": "sycl::info::context::platform"}],
    ("context", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("event", "get_info"): [{"Param": "sycl::info::event::command_execution_status"}],
    ("event", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("event", "get_profiling_info"): [{"Param": "sycl::info::event_profiling::command_end"}],
    ("kernel", "get_backend_info"): [{"Param": "sycl::info::device::name"}],
    ("kernel", "get_info"): [{"Param": "sycl::info::kernel::num_args"},
                             {"Param": "sycl::info::kernel_device_specific::work_group_size"}],
    ("device", "create_sub_devices"): [
        {"Prop": "sycl::info::partition_property::partition_equally"},
        {"Prop": "sycl::info::partition_property::partition_by_counts"},
        {"Prop": "sycl::info::partition_property::partition_by_affinity_domain"}],
    ("vec", "operator="): [{"T": "int"}],
    ("group", "parallel_for_work_item"): [{}],
    ("id", "id"): [{}],
    ("queue", "parallel_for"): [{"Rest": ["const synopsis::item_work<1> &"]},
                                {"Rest": ["const synopsis::nd_work<1> &"]}],
    ("handler", "parallel_for"): [{"Rest": ["const synopsis::item_work<1> &"],
                                   "KernelType": "synopsis::item_work<1>"},
                                  {"Rest": ["const synopsis::nd_work<1> &"],
                                   "KernelType": "synopsis::nd_work<1>"}],
    ("buffer", "get_access"): [{"Ts": ["sycl::handler &"]}, {"Mode": "sycl::access_mode::read"}, {}],
    ("buffer", "get_host_access"): [{"Ts": ["std::remove_const_t<decltype(sycl::read_only)>"]}],
    ("buffer", "buffer"): [{}],
    ("", "get_kernel_bundle"): [
        {}, {"State": "sycl::bundle_state::input",
             "Selector": "bool (*)(const sycl::device_image<sycl::bundle_state::input> &)"}],
    ("multi_ptr", "multi_ptr"): [{}, {"Mode": "sycl::access_mode::read"},
                                 {"Mode": "sycl::access_mode::read", "AccDataT": "const int"}],
    ("specialization_id", "specialization_id"): [{"Args": ["int"]}],
    ("unsampled_image", "get_access"): [{"DataT": "sycl::int4"}],
    ("unsampled_image", "get_host_access"): [{"DataT": "sycl::int4"}],
    ("sampled_image", "get_access"): [{"DataT": "sycl::float4"}],
    ("sampled_image", "get_host_access"): [{"DataT": "sycl::float4"}],
    ("unsampled_image_accessor", "read"): [{"CoordT": "sycl::int2"}],
    ("unsampled_image_accessor", "write"): [{"CoordT": "sycl::int2"}],
    ("host_unsampled_image_accessor", "read"): [{"CoordT": "sycl::int2"}],
    ("host_unsampled_image_accessor", "write"): [{"CoordT": "sycl::int2"}],
    ("sampled_image_accessor", "read"): [{"CoordT": "sycl::float2"}],
    ("host_sampled_image_accessor", "read"): [{"CoordT": "sycl::float2"}],
    ("", "aspect_selector"): [{"AspectList": ["sycl::aspect", "sycl::aspect"]},
                              {"AspectList": ["sycl::aspect::cpu", "sycl::aspect::gpu"]}],
}

# Declarations that only illustrate: headers, and names of classes that stand for any class.
ONLY_SHOWN = {"headers": {"common-reference.h", "common-byval.h", "parallelFor.h",
                          "openclcInterop.h", "openclBackend/samplerImagePair.h",
                          "swizzled-vec.h", "reducer.h", "handler/useKernelBundle.h",
                          # Members, which another synopsis shows in their class.
                          "hostTask/classInteropHandle/constructors.h",
                          "hostTask/classInteropHandle/getbackend.h",
                          "hostTask/classInteropHandle/getnativeX.h"},
              "classes": {("properties.h", "T"), ("atomicref.h", "memory_order_traits")}}
