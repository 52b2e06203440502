//! Every enum value is declared, with its number, and no other.

use std::collections::BTreeMap;

use rocprofiler_sdk_sys::*;

fn declared() -> BTreeMap<&'static str, BTreeMap<&'static str, u64>> {
    macro_rules! known {
        ($($name:ident),* $(,)?) => {
            [$((
                stringify!($name),
                $name::KNOWN.iter().map(|(name, value)| (*name, u64::from(value.0))).collect(),
            )),*]
        };
    }
    BTreeMap::from(known!(
        rocprofiler_status_t,
        rocprofiler_agent_type_t,
        rocprofiler_agent_version_t,
        rocprofiler_callback_phase_t,
        rocprofiler_callback_tracing_kind_t,
        rocprofiler_code_object_operation_t,
        rocprofiler_code_object_storage_type_t,
        rocprofiler_intercept_table_t,
        rocprofiler_runtime_library_t,
        rocprofiler_counter_info_version_id_t,
        rocprofiler_kernel_dispatch_operation_t,
    ))
}

#[test]
fn enums_equal_the_headers() {
    let abi = crate::abi();
    let headers: BTreeMap<&str, BTreeMap<&str, u64>> = abi["enums"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, values)| {
            let values = values.as_object().unwrap().iter();
            (
                name.as_str(),
                values
                    .map(|(k, v)| (k.as_str(), v.as_u64().unwrap()))
                    .collect(),
            )
        })
        .collect();
    assert_eq!(declared(), headers);
}

/// The enums of the headers are `unsigned int`.
#[test]
fn enums_have_the_size_of_an_int() {
    assert_eq!(size_of::<rocprofiler_status_t>(), 4);
    assert_eq!(size_of::<rocprofiler_intercept_table_t>(), 4);
}
