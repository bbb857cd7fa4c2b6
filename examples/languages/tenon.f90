! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What scale.f90 uses of tenon/*.h. Objects are type(c_ptr); each function returns 0, or says in
! its last argument what went wrong.
module tenon
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int32_t), parameter :: TN_QUEUE_IN_ORDER = 1, TN_SOURCE_C = 2, TN_BUNDLE_EXECUTABLE = 2
  integer(c_int32_t), parameter :: TN_USM_SHARED = 2, TN_COMMAND_KERNEL = 1

  type, bind(c) :: tn_diag
    integer(c_int32_t) :: code, native_code, line, reserved
    type(c_ptr) :: file
    character(kind=c_char) :: text(1000)
  end type
  type, bind(c) :: tn_source_query
    integer(c_int32_t) :: struct_size, language
    type(c_ptr) :: context, source
    integer(c_size_t) :: source_size
    type(c_ptr) :: includes = c_null_ptr
    integer(c_size_t) :: include_count = 0
  end type
  type, bind(c) :: tn_source_build
    integer(c_int32_t) :: struct_size, state
    type(c_ptr) :: devices = c_null_ptr
    integer(c_size_t) :: device_count = 0
    type(c_ptr) :: options = c_null_ptr
    integer(c_size_t) :: option_count = 0
    type(c_ptr) :: names = c_null_ptr
    integer(c_size_t) :: name_count = 0
  end type
  type, bind(c) :: tn_command  ! without the members that are optional
    integer(c_int32_t) :: struct_size, kind
    type(c_ptr) :: events = c_null_ptr
    integer(c_size_t) :: event_count = 0
    type(c_ptr) :: accesses = c_null_ptr
    integer(c_size_t) :: access_count = 0
    type(c_ptr) :: slot = c_null_ptr
    type(c_ptr) :: kernel, args
    integer(c_int32_t) :: arg_size, arg_align, dims, has_local = 0
    integer(c_int64_t) :: global(3), local(3) = 1, offset(3) = 0
    integer(c_int64_t) :: of_copies(21) = 0
  end type

  interface
    integer(c_int) function tn_device_get_default(device, diag) bind(c)
      import
      type(c_ptr), intent(out) :: device
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_context_create(devices, count, context, diag) bind(c)
      import
      type(c_ptr), intent(in) :: devices
      integer(c_size_t), value :: count
      type(c_ptr), intent(out) :: context
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_queue_create(context, device, flags, queue, diag) bind(c)
      import
      type(c_ptr), value :: context, device
      integer(c_int32_t), value :: flags
      type(c_ptr), intent(out) :: queue
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_usm_alloc(context, device, kind, size, align, memory, diag) bind(c)
      import
      type(c_ptr), value :: context, device
      integer(c_int32_t), value :: kind
      integer(c_size_t), value :: size, align
      type(c_ptr), intent(out) :: memory
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_source_create(query, source, diag) bind(c)
      import
      type(tn_source_query) :: query
      type(c_ptr), intent(out) :: source
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_source_build_bundle(source, build, bundle, log, diag) bind(c)
      import
      type(c_ptr), value :: source, log
      type(tn_source_build) :: build
      type(c_ptr), intent(out) :: bundle
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_bundle_find_kernel_id(bundle, name, id, diag) bind(c)
      import
      type(c_ptr), value :: bundle
      character(kind=c_char) :: name(*)
      type(c_ptr), intent(out) :: id
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_bundle_get_kernel(bundle, id, device, kernel, diag) bind(c)
      import
      type(c_ptr), value :: bundle, id, device
      type(c_ptr), intent(out) :: kernel
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_queue_submit(queue, command, event, diag) bind(c)
      import
      type(c_ptr), value :: queue, event
      type(tn_command) :: command
      type(tn_diag) :: diag
    end function
    integer(c_int) function tn_queue_wait(queue, diag) bind(c)
      import
      type(c_ptr), value :: queue
      type(tn_diag) :: diag
    end function
  end interface
end module
