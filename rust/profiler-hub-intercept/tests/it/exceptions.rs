//! C++ exceptions of the application that pass through a runtime and its observers.

use crate::process::{Runtime, Stage};

#[test]
fn an_exception_passes_through_observers_as_if_they_were_not_there() {
    let stage = Stage::new(&["tool-a", "tool-b"], "observe");
    stage.compile("exceptions.cpp", "exceptions", &[]);
    let library = stage.runtime(Runtime::C(""));
    let output = stage.command("exceptions").arg(&library).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?} {stderr}", output.status);
    assert_eq!(stderr, "");
}
