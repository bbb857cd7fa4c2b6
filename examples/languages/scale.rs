// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel compiled at run time and launched on memory that the device shares: tenon/*.h in Rust.
use std::{ffi::CStr, os::raw::{c_char, c_void}, ptr::null_mut};

const SOURCE: &str = "#include <tenon/device_code.h>
TN_KERNEL void scale(const float *in, float *out, float factor) {
  out[tn_global_id(0)] = factor * in[tn_global_id(0)];
}";
const COUNT: usize = 1000;
type Any = *mut c_void; // every object of Tenon's
#[repr(C)] struct Diag { code: i32, native_code: i32, line: u32, reserved: u32, file: *const c_char, text: [c_char; 1000] }
#[repr(C)] struct Query { struct_size: u32, language: i32, context: Any, source: *const u8, size: usize, includes: [Any; 2] }
#[repr(C)] struct Build { struct_size: u32, state: i32, others: [Any; 6] }
#[repr(C)] struct Command { struct_size: u32, kind: u32, events: [Any; 5], kernel: Any, args: *const Args,
    arg_size: u32, arg_align: u32, dims: u32, has_local: u32, range: [u64; 9], others: [Any; 21] }
#[repr(C)] struct Args { input: *const f32, output: *mut f32, factor: f32 }

#[link(name = "tenon")]
extern "C" {
    fn tn_device_get_default(out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_context_create(devices: *const Any, count: usize, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_queue_create(context: Any, device: Any, flags: u32, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_usm_alloc(context: Any, device: Any, kind: i32, size: usize, align: usize, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_source_create(query: *const Query, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_source_build_bundle(source: Any, build: *const Build, out: *mut Any, log: *mut Any, diag: *mut Diag) -> i32;
    fn tn_bundle_find_kernel_id(bundle: Any, name: *const c_char, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_bundle_get_kernel(bundle: Any, id: Any, device: Any, out: *mut Any, diag: *mut Diag) -> i32;
    fn tn_queue_submit(queue: Any, command: *const Command, event: *mut Any, diag: *mut Diag) -> i32;
    fn tn_queue_wait(queue: Any, diag: *mut Diag) -> i32;
}

fn main() {
    let mut diag: Diag = unsafe { std::mem::zeroed() };
    let d: *mut Diag = &mut diag;
    let check = |status: i32| if status != 0 { panic!("{:?}", unsafe { CStr::from_ptr((*d).text.as_ptr()) }) };
    let make = |f: &dyn Fn(*mut Any) -> i32| { let mut made: Any = null_mut(); check(f(&mut made)); made };
    unsafe {
        let device = make(&|o| tn_device_get_default(o, d));
        let context = make(&|o| tn_context_create(&device, 1, o, d));
        let queue = make(&|o| tn_queue_create(context, device, 1 /* TN_QUEUE_IN_ORDER */, o, d));
        let query = Query { struct_size: 48, language: 2 /* TN_SOURCE_C */, context, source: SOURCE.as_ptr(),
            size: SOURCE.len(), includes: [null_mut(); 2] };
        let source = make(&|o| tn_source_create(&query, o, d));
        let build = Build { struct_size: 56, state: 2 /* TN_BUNDLE_EXECUTABLE */, others: [null_mut(); 6] };
        let bundle = make(&|o| tn_source_build_bundle(source, &build, o, null_mut(), d));
        let id = make(&|o| tn_bundle_find_kernel_id(bundle, b"scale\0".as_ptr().cast(), o, d));
        let kernel = make(&|o| tn_bundle_get_kernel(bundle, id, device, o, d));
        let memory = |o: *mut Any| tn_usm_alloc(context, device, 2 /* TN_USM_SHARED */, 4 * COUNT, 0, o, d);
        let (input, output) = (make(&memory) as *mut f32, make(&memory) as *mut f32);
        for i in 0..COUNT { *input.add(i) = i as f32; }
        let args = Args { input, output, factor: 2.5 };
        let command = Command { struct_size: std::mem::size_of::<Command>() as u32, kind: 1 /* TN_COMMAND_KERNEL */,
            events: [null_mut(); 5], kernel, args: &args, arg_size: 24, arg_align: 8, dims: 1, has_local: 0,
            range: [COUNT as u64, 1, 1, 1, 1, 1, 0, 0, 0], others: [null_mut(); 21] };
        check(tn_queue_submit(queue, &command, null_mut(), d));
        check(tn_queue_wait(queue, d));
        println!("scale: {}", if (0..COUNT).all(|i| *output.add(i) == 2.5 * i as f32) { "correct" } else { "WRONG" });
    }
}
