//! Reading a field that an older SDK's struct may not have.

/// Reads `$field` of the `$struct` at `$pointer`, or gives `None` where the `size` at its start says
/// that the field is not there.
///
/// # Safety
/// Use it in an `unsafe` block: `$pointer` has to point to a struct of at least `size` bytes, that
/// begins with a field `size`.
///
/// ```
/// use rocprofiler_sdk_sys::{rocprofiler_kernel_dispatch_info_t, sized_field};
/// let dispatch = rocprofiler_kernel_dispatch_info_t { size: 40, dispatch_id: 7, ..Default::default() };
/// let pointer = &raw const dispatch;
/// // SAFETY: the struct is whole.
/// unsafe {
///     assert_eq!(sized_field!(pointer, rocprofiler_kernel_dispatch_info_t, dispatch_id), Some(7));
///     assert_eq!(sized_field!(pointer, rocprofiler_kernel_dispatch_info_t, grid_size), None);
/// }
/// ```
#[macro_export]
macro_rules! sized_field {
    ($pointer:expr, $struct:ty, $field:ident) => {{
        let pointer: *const $struct = $pointer;
        let end = {
            const fn size_behind<T>(_: *const T) -> usize {
                ::core::mem::size_of::<T>()
            }
            ::core::mem::offset_of!($struct, $field) + size_behind(&raw const (*pointer).$field)
        };
        if (&raw const (*pointer).size).read() as u64 >= end as u64 {
            Some((&raw const (*pointer).$field).read())
        } else {
            None
        }
    }};
}
