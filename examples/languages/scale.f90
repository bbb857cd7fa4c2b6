! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A kernel compiled at run time and launched on arrays in memory that the device shares.
program scale
  use tenon
  implicit none
  character(kind=c_char, len=*), parameter :: text = '#include <tenon/device_code.h>' // c_new_line // &
    'TN_KERNEL void scale(const float *in, float *out, float factor) {' // c_new_line // &
    '  out[tn_global_id(0)] = factor * in[tn_global_id(0)];' // c_new_line // '}'
  integer(c_size_t), parameter :: count = 1000
  type, bind(c) :: arguments
    type(c_ptr) :: input, output
    real(c_float) :: factor
  end type
  character(kind=c_char, len=len(text)), target :: source_text = text
  type(c_ptr) :: device, context, queue, source, bundle, id, kernel
  type(arguments), target :: args
  type(tn_source_query) :: query
  type(tn_source_build) :: build
  type(tn_command) :: command
  type(tn_diag) :: diag
  real(c_float), pointer :: numbers(:), scaled(:)
  integer :: i

  call check(tn_device_get_default(device, diag))
  call check(tn_context_create(device, 1_c_size_t, context, diag))
  call check(tn_queue_create(context, device, TN_QUEUE_IN_ORDER, queue, diag))
  query = tn_source_query(c_sizeof(query), TN_SOURCE_C, context, c_loc(source_text), len(text))
  call check(tn_source_create(query, source, diag))
  build = tn_source_build(c_sizeof(build), TN_BUNDLE_EXECUTABLE)
  call check(tn_source_build_bundle(source, build, bundle, c_null_ptr, diag))
  call check(tn_bundle_find_kernel_id(bundle, 'scale' // c_null_char, id, diag))
  call check(tn_bundle_get_kernel(bundle, id, device, kernel, diag))
  call check(tn_usm_alloc(context, device, TN_USM_SHARED, 4 * count, 0_c_size_t, args%input, diag))
  call check(tn_usm_alloc(context, device, TN_USM_SHARED, 4 * count, 0_c_size_t, args%output, diag))
  call c_f_pointer(args%input, numbers, [count])
  call c_f_pointer(args%output, scaled, [count])
  numbers = [(real(i), i = 1, int(count))]
  args%factor = 2.5
  command%struct_size = int(c_sizeof(command), c_int32_t)
  command%kind = TN_COMMAND_KERNEL
  command%kernel = kernel
  command%args = c_loc(args)
  command%arg_size = int(c_sizeof(args), c_int32_t)
  command%arg_align = 8
  command%dims = 1
  command%global = [count, 1_c_size_t, 1_c_size_t]
  call check(tn_queue_submit(queue, command, c_null_ptr, diag))
  call check(tn_queue_wait(queue, diag))
  print '(2a)', 'scale: ', merge('correct', 'WRONG  ', all(scaled == 2.5 * numbers))
contains
  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status /= 0) then
      print '(1000a)', diag%text(1:findloc(diag%text, c_null_char, 1) - 1)
      stop 1
    end if
  end subroutine
end program
