// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weak_object: a reference to a SYCL object that does not keep it.
// Source: the SYCL extension sycl_ext_oneapi_weak_object.
#ifndef TENON_SYCL_EXT_WEAK_OBJECT_HPP
#define TENON_SYCL_EXT_WEAK_OBJECT_HPP

#include "tenon/weak.h"
#include <sycl/detail/core.hpp>
#include <sycl/detail/owner_order.hpp>

#include <new>
#include <optional>

namespace sycl {

enum class image_target;
class stream;
namespace ext::oneapi::experimental {
class physical_mem;
}
template <int Dimensions, class AllocatorT>
class unsampled_image;
template <int Dimensions, class AllocatorT>
class sampled_image;
template <class DataT, int Dimensions, access_mode AccessMode, image_target AccessTarget>
class unsampled_image_accessor;
template <class DataT, int Dimensions, access_mode AccessMode>
class host_unsampled_image_accessor;
template <class DataT, int Dimensions, image_target AccessTarget>
class sampled_image_accessor;
template <class DataT, int Dimensions>
class host_sampled_image_accessor;

namespace detail {

// What objects are equivalent by: what their copies share, and which of those that share it. The
// address stands for the object where nothing is counted, and when there is no memory.
struct owner {
  tn_weak *weak = nullptr;  // borrowed from the object
  std::uintptr_t part = 0;
  bool is_object = true;  // false: of a weak_object that never had one

  template <class T>
  static owner of(tn_weak *weak, const T *object) noexcept {
    return {weak, reinterpret_cast<std::uintptr_t>(object)};
  }
  friend bool operator<(const owner &lhs, const owner &rhs) noexcept {
    if (lhs.is_object != rhs.is_object) {
      return rhs.is_object;
    }
    const auto first = reinterpret_cast<std::uintptr_t>(lhs.weak);
    const auto second = reinterpret_cast<std::uintptr_t>(rhs.weak);
    return first != second ? first < second : lhs.part < rhs.part;
  }
};

#ifndef __SYCL_DEVICE_ONLY__

// By what tn_get() gives. Devices and platforms are never destroyed.
inline owner owner_of(tn_platform *object) noexcept { return owner::of(nullptr, object); }
inline owner owner_of(tn_device *object) noexcept { return owner::of(nullptr, object); }
#define TN_SYCL_OWNER_OF(name)                          \
  inline owner owner_of(tn_##name *object) noexcept {   \
    return owner::of(tn_##name##_weak(object), object); \
  }
TN_SYCL_OWNER_OF(context)
TN_SYCL_OWNER_OF(queue)
TN_SYCL_OWNER_OF(event)
TN_SYCL_OWNER_OF(bundle)
TN_SYCL_OWNER_OF(source)
TN_SYCL_OWNER_OF(bundle_image)
TN_SYCL_OWNER_OF(kernel_id)
TN_SYCL_OWNER_OF(buffer)
TN_SYCL_OWNER_OF(stream)
TN_SYCL_OWNER_OF(physical_memory)
TN_SYCL_OWNER_OF(graph)
TN_SYCL_OWNER_OF(graph_exec)
#undef TN_SYCL_OWNER_OF

#endif

// An object without its reference, which whoever locks the weak one gives back: its bytes. The
// classes of most objects are a pointer to what is counted, or that and plain data.
template <class T>
class sleeping {
 public:
  explicit sleeping(const T &object) noexcept {
    __builtin_memcpy(bytes_, static_cast<const void *>(std::addressof(object)), sizeof(T));
  }
  // Takes over a reference.
  T wake() const noexcept {
    alignas(T) unsigned char copy[sizeof(T)];
    __builtin_memcpy(copy, bytes_, sizeof(T));
    T *const object = std::launder(reinterpret_cast<T *>(copy));
    T woken(*object);
    object->~T();
    return woken;
  }

 private:
  alignas(T) unsigned char bytes_[sizeof(T)];
};

#ifdef __SYCL_DEVICE_ONLY__

// For code of the host that is only read.
template <class T>
struct sharing {
  template <class Object>
  static owner owner_of_object(const Object &object) noexcept;
  using asleep = sleeping<T>;
};

#else

template <class T>
struct sharing {
  static owner owner_of_object(const T &object) noexcept { return owner_of(object.tn_get()); }
  using asleep = sleeping<T>;
};

// The bundle is what goes.
template <>
struct sharing<kernel> {
  static owner owner_of_object(const kernel &object) noexcept {
    return owner::of(tn_bundle_weak(object.tn_get_bundle()), object.tn_get_id().tn_get());
  }
  class asleep {
   public:
    explicit asleep(const kernel &object) noexcept
        : bundle_(object.tn_get_bundle()), id_(object.tn_get_id()) {}
    kernel wake() const noexcept {
      const bundle_handle taken(bundle_);
      return kernel(bundle_, id_);
    }

   private:
    tn_bundle *bundle_;
    kernel_id id_;
  };
};

// Its images are those of the bundle.
template <bundle_state State>
struct sharing<kernel_bundle<State>> {
  static owner owner_of_object(const kernel_bundle<State> &object) noexcept {
    return owner_of(object.tn_get());
  }
  class asleep {
   public:
    explicit asleep(const kernel_bundle<State> &object) noexcept : bundle_(object.tn_get()) {}
    kernel_bundle<State> wake() const noexcept {
      return kernel_bundle<State>(bundle_handle(bundle_));
    }

   private:
    tn_bundle *bundle_;
  };
};
template <>
struct sharing<kernel_bundle<bundle_state::ext_oneapi_source>> {
  using bundle = kernel_bundle<bundle_state::ext_oneapi_source>;
  template <class Bundle>
  static owner owner_of_object(const Bundle &object) noexcept {
    return owner_of(object.tn_get());
  }
  using asleep = sleeping<bundle>;
};

// It has more than the counted memory.
template <>
struct sharing<ext::oneapi::experimental::physical_mem> {
  template <class Memory>
  static owner owner_of_object(const Memory &object) noexcept {
    return owner_of(object.tn_get());
  }
  template <class Memory>
  class asleep_as {
   public:
    explicit asleep_as(const Memory &object) noexcept
        : object_(object.tn_get()),
          context_(object.get_context()),
          device_(object.get_device()),
          size_(object.size()) {}
    Memory wake() const noexcept { return Memory(object_, context_, device_, size_); }

   private:
    tn_physical_memory *object_;
    context context_;
    device device_;
    std::size_t size_;
  };
  using asleep = asleep_as<ext::oneapi::experimental::physical_mem>;
};

// An allocator may be more than bytes.
template <class T, int Dimensions, class AllocatorT>
struct sharing<buffer<T, Dimensions, AllocatorT>> {
  using object_type = buffer<T, Dimensions, AllocatorT>;
  static owner owner_of_object(const object_type &object) noexcept {
    return owner_of(object.tn_get());
  }
  class asleep {
   public:
    explicit asleep(const object_type &object) noexcept
        : object_(object.tn_get()),
          range_(object.get_range()),
          allocator_(object.get_allocator()) {}
    object_type wake() const noexcept {
      return object_type(object_, range_, allocator_, typename object_type::tn_taken());
    }

   private:
    tn_buffer *object_;
    range<Dimensions> range_;
    AllocatorT allocator_;
  };
};

template <class Image, class AllocatorT>
struct sharing_image {
  static owner owner_of_object(const Image &object) noexcept {
    return owner_of(object.tn_buffer().tn_get());
  }
  class asleep {
   public:
    explicit asleep(const Image &object) noexcept : pixels_(object.tn_buffer()), rest_(object) {}
    Image wake() const noexcept { return rest_.with(pixels_.wake()); }

   private:
    typename sharing<buffer<std::byte, 1, AllocatorT>>::asleep pixels_;
    typename Image::tn_rest rest_;
  };
};
template <int Dimensions, class AllocatorT>
struct sharing<unsampled_image<Dimensions, AllocatorT>>
    : sharing_image<unsampled_image<Dimensions, AllocatorT>, AllocatorT> {};
template <int Dimensions, class AllocatorT>
struct sharing<sampled_image<Dimensions, AllocatorT>>
    : sharing_image<sampled_image<Dimensions, AllocatorT>, AllocatorT> {};

// Accessors keep their buffer's memory, each by itself: what of one is left when its last copy is
// gone is in the buffer. The number is that of the accessor and its copies.
inline owner owner_of(const tn_accessor &link) noexcept {
  return {tn_buffer_weak_use(link.buffer), link.flags / TN_ACCESSOR_NUMBER};
}
template <class T, int D, access_mode M, target Tg, access::placeholder P, class L>
owner owner_of(const accessor<T, D, M, Tg, P, L> &object) noexcept {
  return owner_of(object.tn_link());
}
// A local accessor has no memory on the host.
template <class T, int D>
owner owner_of(const local_accessor<T, D> &object) noexcept {
  return {nullptr, object.tn_link().number};
}
template <class T, int D, access_mode M>
owner owner_of(const host_accessor<T, D, M> &object) noexcept {
  const host_accessor_state<D> &state = object.tn_state();
  return state.is_in_command()
             ? owner_of(state.command)
             : owner::of(tn_host_access_weak(state.link.access), state.link.access);
}
template <class T, int D, access_mode M, access::placeholder P>
owner owner_of(const accessor<T, D, M, target::host_buffer, P> &object) noexcept {
  return owner_of(static_cast<const host_accessor<T, D, M> &>(object));
}
template <class T, int D, access_mode M, access::placeholder P>
owner owner_of(const accessor<T, D, M, target::local, P> &object) noexcept {
  return owner_of(static_cast<const local_accessor<T, D> &>(object));
}

template <class Accessor>
struct sharing_accessor {
  static owner owner_of_object(const Accessor &object) noexcept { return owner_of(object); }
  using asleep = sleeping<Accessor>;
};
template <class T, int D, access_mode M, target Tg, access::placeholder P, class L>
struct sharing<accessor<T, D, M, Tg, P, L>> : sharing_accessor<accessor<T, D, M, Tg, P, L>> {};
template <class T, int D>
struct sharing<local_accessor<T, D>> : sharing_accessor<local_accessor<T, D>> {};
template <class T, int D, access_mode M>
struct sharing<host_accessor<T, D, M>> : sharing_accessor<host_accessor<T, D, M>> {};

template <class Accessor>
struct sharing_image_accessor {
  static owner owner_of_object(const Accessor &object) noexcept {
    return owner_of(object.tn_access());
  }
  using asleep = sleeping<Accessor>;
};
template <class T, int D, access_mode M, image_target G>
struct sharing<unsampled_image_accessor<T, D, M, G>>
    : sharing_image_accessor<unsampled_image_accessor<T, D, M, G>> {};
template <class T, int D, access_mode M>
struct sharing<host_unsampled_image_accessor<T, D, M>>
    : sharing_image_accessor<host_unsampled_image_accessor<T, D, M>> {};
template <class T, int D, image_target G>
struct sharing<sampled_image_accessor<T, D, G>>
    : sharing_image_accessor<sampled_image_accessor<T, D, G>> {};
template <class T, int D>
struct sharing<host_sampled_image_accessor<T, D>>
    : sharing_image_accessor<host_sampled_image_accessor<T, D>> {};

#endif

}  // namespace detail

namespace ext::oneapi {

// Different objects may be used by several threads, one object by one.
template <class SyclObject>
class weak_object {
  using sharing = sycl::detail::sharing<SyclObject>;

 public:
  using object_type = SyclObject;

  constexpr weak_object() noexcept = default;
  weak_object(const SyclObject &SYCLObj) noexcept
      : owner_(sharing::owner_of_object(SYCLObj)), asleep_(std::in_place, SYCLObj) {
    tn_weak_retain(owner_.weak);
  }
  weak_object(const weak_object &Other) noexcept : owner_(Other.owner_), asleep_(Other.asleep_) {
    tn_weak_retain(owner_.weak);
  }
  weak_object(weak_object &&Other) noexcept { swap(Other); }
  ~weak_object() { tn_weak_release(owner_.weak); }

  weak_object &operator=(const SyclObject &SYCLObj) noexcept {
    return *this = weak_object(SYCLObj);
  }
  weak_object &operator=(const weak_object &Other) noexcept {
    return *this = weak_object(Other);
  }
  weak_object &operator=(weak_object &&Other) noexcept {
    weak_object taken(std::move(Other));
    swap(taken);
    return *this;
  }

  void reset() noexcept { *this = weak_object(); }
  void swap(weak_object &Other) noexcept {
    std::swap(owner_, Other.owner_);
    std::swap(asleep_, Other.asleep_);
  }

  bool expired() const noexcept {
    return !asleep_ || (owner_.weak && tn_weak_is_expired(owner_.weak));
  }
  std::optional<SyclObject> try_lock() const noexcept {
    if (!asleep_ || (owner_.weak && !tn_weak_lock(owner_.weak))) {
      return std::nullopt;
    }
    return asleep_->wake();
  }
  SyclObject lock() const {
    std::optional<SyclObject> object = try_lock();
    if (!object) {
      sycl::detail::raise(errc::invalid,
                          "weak_object::lock: the object is gone, or there was none; use try_lock");
    }
    return *std::move(object);
  }

  bool owner_before(const weak_object &Other) const noexcept { return owner_ < Other.owner_; }
  bool owner_before(const SyclObject &Other) const noexcept {
    return owner_ < sharing::owner_of_object(Other);
  }

  // For owner_before of SYCL objects.
  const sycl::detail::owner &tn_owner() const noexcept { return owner_; }

 private:
  sycl::detail::owner owner_ = {nullptr, 0, false};  // retained
  std::optional<typename sharing::asleep> asleep_;
};

}  // namespace ext::oneapi

namespace detail {

template <class T>
template <class Object>
bool owner_order<T>::ext_oneapi_owner_before(
    const ext::oneapi::weak_object<Object> &other) const noexcept {
  return sharing<T>::owner_of_object(static_cast<const T &>(*this)) < other.tn_owner();
}
template <class T>
bool owner_order<T>::ext_oneapi_owner_before(const T &other) const noexcept {
  return sharing<T>::owner_of_object(static_cast<const T &>(*this)) <
         sharing<T>::owner_of_object(other);
}

}  // namespace detail

}  // namespace sycl

#endif
