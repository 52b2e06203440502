//! The lookup without an SDK in the process: nothing is found and nothing is loaded.

use rocprofiler_sdk_sys::{Choice, Functions, SDK_SONAME, find_symbol, use_sdk_of};

#[test]
fn nothing_is_found_and_nothing_loaded_where_the_sdk_is_absent() {
    let functions = Functions::lookup();
    assert!(functions.create_context.is_none());
    assert!(functions.at_intercept_table_registration.is_none());
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.contains(SDK_SONAME.to_str().unwrap()));
}

#[test]
fn a_symbol_of_the_global_scope_is_found() {
    assert!(find_symbol(c"malloc").is_some());
    assert!(find_symbol(c"rocprofiler_no_such_function").is_none());
}

#[test]
fn an_address_in_no_sdk_chooses_nothing() {
    let (own, libc) = (Functions::lookup as *const (), libc::malloc as *const ());
    for address in [0, own.addr(), libc.addr()] {
        assert_eq!(use_sdk_of(address), Choice::NotAnSdk);
    }
    assert!(find_symbol(c"malloc").is_some());
}
