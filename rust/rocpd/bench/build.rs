//! Builds the limit, which is in C.

fn main() {
    println!("cargo:rerun-if-changed=src/limit.c");
    let headers = std::env::var_os("DEP_SQLITE3_INCLUDE");
    cc::Build::new()
        .file("src/limit.c")
        .includes(headers)
        .opt_level(2)
        .warnings_into_errors(true)
        .compile("limit");
}
