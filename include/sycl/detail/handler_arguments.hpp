// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// handler::set_arg, set_args, and launches of kernel objects: the arguments are kept until the
// command group is submitted, and then laid into the block as the kernel's table says.
// Source: SYCL 2020 section 4.9.4; the SYCL extension sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_DETAIL_HANDLER_ARGUMENTS_HPP
#define TENON_SYCL_DETAIL_HANDLER_ARGUMENTS_HPP

#include "tenon/graph.h"
#include <sycl/ext/oneapi/experimental/raw_kernel_arg.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/handler.hpp>
#include <sycl/kernel.hpp>
#include <sycl/local_accessor.hpp>

namespace sycl {

namespace detail {
template <class T>
inline constexpr bool is_buffer_accessor = false;
template <class T, int Dimensions, access_mode Mode, target Target,
          access::placeholder IsPlaceholder, class Properties>
inline constexpr bool
    is_buffer_accessor<accessor<T, Dimensions, Mode, Target, IsPlaceholder, Properties>> =
        Target == target::device || Target == target::constant_buffer;
}  // namespace detail

#ifdef __SYCL_DEVICE_ONLY__

// In this pass accessors are no more than their bytes, also as members of a class.
template <class T>
void handler::set_arg(int, T &&) {
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
  static_assert(detail::is_dynamic_parameter<type> || is_device_copyable_v<type> ||
                    detail::argument_kind<type> != detail::argument_is_value,
                "set_arg: the argument is not device copyable: its copy constructor or its "
                "destructor does something; pass a pointer to USM, or an accessor");
}
template <class... Ts>
void handler::set_args(Ts &&...args) {
  (set_arg(0, std::forward<Ts>(args)), ...);
}

#else

namespace detail {

// One argument that was set.
class set_argument {
 public:
  set_argument(std::size_t size, unsigned kind) : size(size), kind(kind) {}
  set_argument(const set_argument &) = delete;
  virtual ~set_argument() = default;

  // Builds a copy at its place in the block; what is built there is destroyed by `remove`.
  virtual void place(void *at) const = 0;
  virtual void remove(void *at) const noexcept = 0;
  // As another kind than its own: a pointer to an accessor's buffer, a local accessor's memory.
  // False when it cannot be.
  virtual bool place_as(unsigned, tn_capture *, void *) const { return false; }
  // The command is a node of a graph, where the argument can be changed.
  virtual void note_node(tn_graph_node *, std::uint32_t) const {}
  // Of a kernel that is a function object: at which bytes of it the argument is. False when its
  // class is one whose objects cannot be found there.
  virtual bool find_captured(tn_command_group &) { return false; }

  const std::size_t size;
  const unsigned kind;
  std::size_t index = 0;
  small_list<std::uint32_t> captured_at;  // of the function object
};

template <class T>
inline constexpr bool is_local_accessor = false;
template <class T, int Dimensions>
inline constexpr bool is_local_accessor<local_accessor<T, Dimensions>> = true;

template <class T>
class set_argument_of final : public set_argument {
 public:
  explicit set_argument_of(const T &value)
      : set_argument(sizeof(T), argument_kind<T>), value_(value) {}
  void place(void *at) const override { ::new (at) T(value_); }
  void remove(void *at) const noexcept override { static_cast<T *>(at)->~T(); }
  bool place_as([[maybe_unused]] unsigned as, [[maybe_unused]] tn_capture *capture,
                [[maybe_unused]] void *at) const override {
    if constexpr (is_local_accessor<T>) {
      const local_link &link = value_.tn_link();
      if (as == argument_is_local && link.number != 0) {
        capture->note_local(capture, at, link.number, link.size,
                            static_cast<std::uint32_t>(link.alignment));
        return true;
      }
    } else if constexpr (argument_kind<T> == argument_is_accessor && !is_dynamic_local<T>) {
      const accessor_link &link = value_.tn_link();
      if (as == argument_is_pointer && link.buffer && value_.tn_view().shift == 0) {
        capture->note(capture, at, link.buffer,
                      static_cast<std::uint32_t>(link.flags & link_access_mask));
        return true;
      }
    }
    return false;
  }
  bool find_captured(tn_command_group &) override {
    return is_dynamic_local<T>;  // the function object's copy says all
  }

 private:
  T value_;
};

// Bytes that somebody else knows the type of.
class set_bytes final : public set_argument {
 public:
  set_bytes(const void *bytes, std::size_t count)
      : set_argument(count, argument_is_value), bytes_(new unsigned char[count + 1]) {
    if (count > 0) {
      __builtin_memcpy(bytes_, bytes, count);
    }
  }
  ~set_bytes() override { delete[] bytes_; }
  void place(void *at) const override { __builtin_memcpy(at, bytes_, size); }
  void remove(void *) const noexcept override {}

 private:
  unsigned char *bytes_;  // owned
};

// Of a dynamic_parameter: its value, now and later.
template <class Parameter>
class set_dynamic final : public set_argument {
  using type = typename Parameter::value_type;

 public:
  explicit set_dynamic(const Parameter &parameter)
      : set_argument(size_of(parameter.tn_value()), kind_of()), parameter_(parameter) {}
  void place(void *at) const override {
    if constexpr (is_raw) {
      __builtin_memcpy(at, parameter_.tn_value().tn_bytes(), size);
    } else {
      ::new (at) type(parameter_.tn_value());
    }
  }
  void remove([[maybe_unused]] void *at) const noexcept override {
    if constexpr (!is_raw) {
      static_cast<type *>(at)->~type();
    }
  }
  void note_node(tn_graph_node *node, std::uint32_t offset) const override {
    parameter_.tn_add(node, offset);
  }
  bool find_captured([[maybe_unused]] tn_command_group &group) override {
    if constexpr (is_buffer_accessor<type>) {
      find_accessors(group);
    }
    return is_buffer_accessor<type>;
  }

 private:
  static constexpr bool is_raw = std::is_same_v<type, ext::oneapi::experimental::raw_kernel_arg>;
  static constexpr unsigned kind_of() {
    if constexpr (is_raw) {
      return argument_is_value;
    } else {
      return argument_kind<type>;
    }
  }
  static std::size_t size_of(const type &value) {
    if constexpr (is_raw) {
      return value.tn_count();
    } else {
      return sizeof(type);
    }
  }
  // Copies of the accessors that the parameter has, or had: they become the one that it has.
  void find_accessors(tn_command_group &group) {
    const accessor_link &now = parameter_.tn_value().tn_link();
    for (std::uint32_t i = 0; i < group.captured.access_count; ++i) {
      tn_access &access = group.captured.accesses[i];
      if (access.arg_offset == TN_NO_ARG) {
        continue;
      }
      accessor_link &link = *reinterpret_cast<accessor_link *>(
          static_cast<unsigned char *>(group.block) + access.arg_offset);
      if (parameter_.tn_had(link.flags / TN_ACCESSOR_NUMBER)) {
        tn_accessor_assign(&link, &now, sizeof(type));
        access.buffer = static_cast<tn_buffer *>(now.buffer);
        captured_at.push(access.arg_offset);
      }
    }
    if (captured_at.size() == 0) {
      raise(errc::invalid,
            "handler::set_arg: the kernel's function object has no accessor of the "
            "dynamic_parameter; capture a copy of the one that the parameter was made of");
    }
  }
  Parameter parameter_;
};

class argument_list {
 public:
  argument_list() = default;
  argument_list(const argument_list &) = delete;
  ~argument_list() {
    while (placed_ > 0) {
      --placed_;
      if (const set_argument *argument = find(placed_)) {
        remove(placed_, *argument);
      }
    }
    for (const set_argument *argument : arguments_) {
      delete argument;
    }
    ::operator delete(block_, alignment);
  }

  // Takes the argument over.
  void set(int index, set_argument *argument) {
    argument->index = static_cast<std::size_t>(index);
    arguments_.push(argument);
  }
  void note_node(tn_graph_node *node) {
    for (const set_argument *argument : arguments_) {
      if (kernel.get()) {
        argument->note_node(node, place_of(argument->index).offset);
      }
      for (std::size_t i = 0; i < argument->captured_at.size(); ++i) {
        argument->note_node(node, argument->captured_at[i]);
      }
    }
  }
  // Of a kernel that is a function object. Raises when an argument is none of its members.
  void find_captured(tn_command_group &group);
  // The kernel that takes them, and the block with all of them in it.
  void *make_block(tn_capture_record &captured);
  std::size_t size() const noexcept { return size_; }

  kernel_handle kernel;

 private:
  static constexpr std::align_val_t alignment{128};

  // The last one that was set.
  const set_argument *find(std::size_t index) noexcept {
    const set_argument *found = nullptr;
    for (const set_argument *argument : arguments_) {
      found = argument->index == index ? argument : found;
    }
    return found;
  }
  [[noreturn]] void fail(const char *format, std::size_t a, std::size_t b, std::size_t c = 0,
                         errc code = errc::kernel_argument) const;
  void check_function();
  tn_kernel_arg place_of(std::size_t index) const {
    tn_kernel_arg place;
    if (is_native_) {
      __builtin_memcpy(&place, native_list() + index * sizeof(place), sizeof(place));
      return place;
    }
    tn_diag diag;
    check(tn_kernel_arg_at(kernel.get(), index, &place, &diag), diag);
    return place;
  }
  void *at(std::size_t index) const {
    return static_cast<unsigned char *>(block_) + place_of(index).offset;
  }
  static bool is_as_given(const tn_kernel_arg &place, const set_argument &argument) {
    const auto is_plain = [](unsigned kind) { return kind <= argument_is_pointer; };
    return place.kind == argument.kind || (is_plain(place.kind) && is_plain(argument.kind));
  }
  void put(std::size_t index, tn_capture *capture);
  // Of a kernel that the program made with the driver: the block begins with a list of them.
  unsigned char *native_list() const {
    return static_cast<unsigned char *>(block_) + TN_KERNEL_ARG_LIST_AT;
  }
  void allocate(std::size_t size);
  void list_native(std::size_t count);
  void put_native(std::size_t index, tn_capture *capture);
  void remove(std::size_t index, const set_argument &argument) const noexcept {
    if (is_as_given(place_of(index), argument)) {
      argument.remove(at(index));
    }
  }

  small_list<set_argument *> arguments_;  // owned
  void *block_ = nullptr;                 // owned
  std::size_t size_ = 0;
  bool is_native_ = false;
  std::size_t placed_ = 0;
};

[[noreturn]] TN_SYCL_COLD inline void argument_list::fail(const char *format, std::size_t a,
                                                          std::size_t b, std::size_t c,
                                                          errc code) const {
  char text[600];
  int length =
      __builtin_snprintf(text, sizeof(text), "kernel %.300s: ", tn_kernel_name(kernel.get()));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  __builtin_snprintf(text + length, sizeof(text) - static_cast<std::size_t>(length), format, a, b,
                     c);
#pragma GCC diagnostic pop
  raise(code, text);
}

// A kernel that is a function object can be launched as an object when it holds nothing.
TN_SYCL_COLD inline void argument_list::check_function() {
  const std::size_t size = tn_kernel_arg_size(kernel.get());
  if (arguments_.size() > 0) {
    fail(
        "it is a function object, which takes no arguments by set_arg (%zu were set); launch it "
        "by its name, with use_kernel_bundle",
        arguments_.size(), 0, 0, errc::invalid);
  }
  if (size > 1) {
    fail(
        "it is a function object of %zu bytes, whose members only the object has; launch it by "
        "its name, with use_kernel_bundle",
        size, 0, 0, errc::invalid);
  }
}

TN_SYCL_COLD inline void argument_list::find_captured(tn_command_group &group) {
  for (set_argument *argument : arguments_) {
    if (group.command.kind != TN_COMMAND_KERNEL || !argument->find_captured(group)) {
      raise(errc::invalid,
            "handler::set_arg: the command group launches no kernel object; kernels that are "
            "function objects have their arguments as members. Of these a dynamic_parameter is "
            "accessors only: make a kernel of a function to change values and pointers");
    }
  }
}

TN_SYCL_COLD inline void argument_list::put(std::size_t index, tn_capture *capture) {
  const set_argument *argument = find(index);
  const tn_kernel_arg place = place_of(index);
  const std::size_t count = tn_kernel_arg_count(kernel.get());
  if (!argument) {
    fail("argument %zu of its %zu was not set; call set_arg(%zu, …)", index, count, index);
  }
  if (!is_as_given(place, *argument)) {
    if (!argument->place_as(place.kind, capture, at(index))) {
      fail(place.kind == argument_is_accessor ? "argument %zu is an accessor, of another type than "
                                                "what was set (%zu bytes instead of %zu)"
           : place.kind == argument_is_local
               ? "argument %zu is local memory: set a work_group_memory or a local_accessor (%zu "
                 "bytes were set, it has %zu)"
               : "argument %zu is a value or a pointer, but what was set is an accessor or local "
                 "memory (%zu bytes, it has %zu)",
           index, argument->size, place.size);
    }
    return;
  }
  if (place.size != argument->size) {
    fail("argument %zu has %zu bytes, but what was set has %zu", index, place.size, argument->size);
  }
  argument->place(at(index));
}

inline void argument_list::allocate(std::size_t size) {
  size_ = size;
  block_ = ::operator new(size + 1, alignment);
  __builtin_memset(block_, 0, size + 1);
}

// An accessor is a pointer to its buffer, or local memory, whose offset the runtime writes.
TN_SYCL_COLD inline void argument_list::list_native(std::size_t count) {
  constexpr std::size_t largest = static_cast<std::size_t>(alignment);
  std::size_t end = TN_KERNEL_ARG_LIST_AT + count * sizeof(tn_kernel_arg);
  const auto place_for = [&end](const set_argument &argument) {
    const bool is_accessor = argument.kind == argument_is_accessor;
    const std::size_t size = is_accessor ? sizeof(std::uint64_t) : argument.size;
    std::size_t align = sizeof(std::uint64_t);
    while (align < size && align < largest) {
      align *= 2;
    }
    const std::size_t at = (end + align - 1) / align * align;
    end = at + size;
    return tn_kernel_arg{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size),
                         is_accessor ? argument_is_pointer : argument.kind, 0};
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!find(i)) {
      fail("argument %zu of its %zu was not set; call set_arg(%zu, …)", i, count, i);
    }
    place_for(*find(i));
  }
  allocate(end);
  end = TN_KERNEL_ARG_LIST_AT + count * sizeof(tn_kernel_arg);
  const std::uint64_t number = count;
  __builtin_memcpy(block_, &number, sizeof(number));
  for (std::size_t i = 0; i < count; ++i) {
    const tn_kernel_arg place = place_for(*find(i));
    __builtin_memcpy(native_list() + i * sizeof(place), &place, sizeof(place));
  }
}

TN_SYCL_COLD inline void argument_list::put_native(std::size_t index, tn_capture *capture) {
  const set_argument &argument = *find(index);
  tn_kernel_arg place = place_of(index);
  if (argument.kind != argument_is_accessor) {
    argument.place(at(index));
  } else if (argument.place_as(argument_is_local, capture, at(index))) {
    place.kind = argument_is_local;
    __builtin_memcpy(native_list() + index * sizeof(place), &place, sizeof(place));
  } else if (!argument.place_as(argument_is_pointer, capture, at(index))) {
    fail(
        "argument %zu is an accessor that does not begin with its buffer (%zu bytes); set one "
        "without an offset",
        index, argument.size);
  }
}

TN_SYCL_COLD inline void *argument_list::make_block(tn_capture_record &captured) {
  const std::size_t count = tn_kernel_arg_count(kernel.get());
  is_native_ = tn_kernel_is_native(kernel.get()) != 0;
  if (!is_native_) {
    allocate(tn_kernel_arg_size(kernel.get()));
  }
  if (!tn_kernel_is_function(kernel.get())) {
    check_function();
    return block_;
  }
  for (const set_argument *argument : arguments_) {
    if (argument->index >= count) {
      fail("argument %zu was set, but it takes only %zu", argument->index, count);
    }
  }
  if (is_native_) {
    list_native(count);
  }
  const capture_scope scope(captured, block_, size_);
  for (; placed_ < count; ++placed_) {
    if (is_native_) {
      put_native(placed_, &captured.capture);
    } else {
      put(placed_, &captured.capture);
    }
  }
  return block_;
}

}  // namespace detail

inline detail::argument_list &handler::arguments() {
  if (!arguments_) {
    arguments_ = new detail::argument_list;
    use_arguments_ = use_arguments;
    use_parts_ = use_parts;
  }
  return *arguments_;
}

TN_SYCL_COLD inline void handler::check_dynamic() const {
  tn_graph *graph = tn_graph_of_queue(group_.queue);
  const bool is_added = graph && tn_graph_queue(graph) == group_.queue;
  tn_graph_release(graph);
  if (!is_added) {
    detail::raise(errc::invalid,
                  "handler: a dynamic_parameter is for kernels that are added to a graph by "
                  "command_graph::add; a queue takes its value");
  }
}

inline void handler::note_arguments(handler &cgh, const event &done) {
  cgh.arguments_->note_node(tn_graph_node_of_event(done.tn_get()));
}

TN_SYCL_COLD inline void handler::use_arguments(handler &cgh, bool is_end) {
  if (is_end) {
    delete cgh.arguments_;
    return;
  }
  detail::argument_list &list = *cgh.arguments_;
  if (!list.kernel.get()) {
    list.find_captured(cgh.group_);
    return;
  }
  if (cgh.bundle_) {
    detail::raise(errc::invalid,
                  "handler::use_kernel_bundle: the command group launches a kernel object, which "
                  "is of a bundle already");
  }
  cgh.group_.command.args = list.make_block(cgh.group_.captured);
  cgh.group_.command.kernel = list.kernel.get();
  cgh.group_.command.arg_size = static_cast<std::uint32_t>(list.size());
  cgh.group_.command.arg_align = 1;  // the kernel's own counts
}

TN_SYCL_COLD inline void handler::set_object(const kernel &object) {
  begin_action(TN_COMMAND_KERNEL);
  if (tn_bundle_context(object.tn_get_bundle()) != tn_queue_context(group_.queue)) {
    detail::raise(errc::invalid,
                  "a kernel object is launched by a queue of another context than its bundle's");
  }
  arguments().kernel = detail::built_kernel(object, tn_queue_device(group_.queue));
}

inline void handler::single_task(const kernel &kernelObject) {
  set_object(kernelObject);
  detail::range_of().set(group_.command);
}

#define TN_SYCL_HANDLER_OBJECT(Dimensions)                                                         \
  inline void handler::parallel_for(range<Dimensions> numWorkItems, const kernel &kernelObject) {  \
    set_object(kernelObject);                                                                      \
    detail::range_of(numWorkItems).set(group_.command);                                            \
  }                                                                                                \
  inline void handler::parallel_for(range<Dimensions> numWorkItems, id<Dimensions> workItemOffset, \
                                    const kernel &kernelObject) {                                  \
    set_object(kernelObject);                                                                      \
    detail::range_of(numWorkItems, workItemOffset).set(group_.command);                            \
  }
TN_SYCL_HANDLER_OBJECT(1)
TN_SYCL_HANDLER_OBJECT(2)
TN_SYCL_HANDLER_OBJECT(3)
#undef TN_SYCL_HANDLER_OBJECT

template <int Dimensions>
void handler::parallel_for(nd_range<Dimensions> ndRange, const kernel &kernelObject) {
  set_object(kernelObject);
  detail::range_of(ndRange).set(group_.command);
}

template <class T>
void handler::set_arg(int argIndex, T &&arg) {
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
  if (argIndex < 0) {
    detail::raise(errc::invalid, "handler::set_arg: the index is negative; the first one is 0");
  }
  if constexpr (detail::is_dynamic_parameter<type>) {
    check_dynamic();
    arguments().set(argIndex, new detail::set_dynamic<type>(arg));
    note_arguments_ = note_arguments;
  } else if constexpr (std::is_same_v<type, ext::oneapi::experimental::raw_kernel_arg>) {
    arguments().set(argIndex, new detail::set_bytes(arg.tn_bytes(), arg.tn_count()));
  } else if constexpr (std::is_array_v<type>) {  // an array is an argument by value, as a struct is
    arguments().set(argIndex, new detail::set_bytes(&arg, sizeof(type)));
  } else {
    const type &value = arg;
    arguments().set(argIndex, new detail::set_argument_of<type>(value));
  }
}

template <class... Ts>
void handler::set_args(Ts &&...args) {
  int index = 0;
  (set_arg(index++, std::forward<Ts>(args)), ...);
}

#endif

}  // namespace sycl

#endif
