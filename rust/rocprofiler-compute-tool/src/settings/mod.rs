//! What the environment asks for, read once.
//!
//! A value that cannot be used is found here, at start-up, and becomes one [`Problem`]: what it
//! describes is then off, the rest goes on. Unset and empty act alike.

mod counters;
mod kernel_filter;
mod multiplexing;
mod range;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub use counters::{CounterSet, parse_counter_sets};
pub use kernel_filter::{KernelFilter, searchable_name};
pub use multiplexing::Multiplexing;
pub use range::LaunchRange;

/// Sets of counters: `pmc: A B, pmc: C D`.
pub const COUNTERS: &str = "ROCPROF_COUNTERS";
/// Folder for the output file.
pub const OUTPUT_PATH: &str = "ROCPROF_OUTPUT_PATH";
/// How several sets are used.
pub const MULTIPLEXING: &str = "ROCPROF_ITERATION_MULTIPLEXING";
/// Which kernels are counted.
pub const KERNEL_FILTER: &str = "ROCPROF_KERNEL_FILTER_INCLUDE_REGEX";
/// Which launches of each kernel are counted.
pub const RANGE: &str = "ROCPROF_KERNEL_FILTER_RANGE";

/// What is asked for.
#[derive(Debug)]
pub struct Settings {
    /// Not empty.
    pub sets: Vec<CounterSet>,
    /// Absolute folder of the output file.
    pub folder: PathBuf,
    /// How the sets are used.
    pub multiplexing: Multiplexing,
    /// Which kernels are counted; all without it.
    pub kernels: Option<KernelFilter>,
    /// Which launches are counted; all without it.
    pub range: Option<LaunchRange>,
}

/// A value that cannot be used, and what that means, in one line.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    variable: &'static str,
    value: String,
    expected: String,
    consequence: &'static str,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            variable,
            value,
            expected,
            consequence,
        } = self;
        write!(
            f,
            "cannot use {variable}={value:?}: {expected}; {consequence}"
        )
    }
}

/// Whether counters are asked for at all. Cheap: nothing is parsed.
#[must_use]
pub fn counters_asked_for() -> bool {
    value_of(&environment, COUNTERS).is_some()
}

fn environment(variable: &str) -> Option<OsString> {
    std::env::var_os(variable)
}

fn value_of(lookup: &dyn Fn(&str) -> Option<OsString>, variable: &str) -> Option<OsString> {
    lookup(variable).filter(|value| !value.is_empty())
}

impl Settings {
    /// Reads the environment. `None`: nothing is to be counted. Problems go to `report`.
    pub fn from_environment(report: &mut dyn FnMut(Problem)) -> Option<Self> {
        let current = std::env::current_dir().ok();
        Self::read(&environment, current.as_deref(), report)
    }

    /// Reads what `lookup` gives; relative folders are `current`'s.
    fn read(
        lookup: &dyn Fn(&str) -> Option<OsString>,
        current: Option<&Path>,
        report: &mut dyn FnMut(Problem),
    ) -> Option<Self> {
        let sets = parse(
            lookup,
            COUNTERS,
            "nothing is counted",
            parse_counter_sets,
            report,
        )?;
        let mut problem = |variable, value: &str, expected: &str, consequence| {
            report(Problem {
                variable,
                value: value.into(),
                expected: expected.into(),
                consequence,
            });
        };
        let folder = match value_of(lookup, OUTPUT_PATH) {
            Some(folder) => PathBuf::from(folder),
            None => {
                problem(
                    OUTPUT_PATH,
                    "",
                    "expected a folder",
                    "the current directory is used",
                );
                PathBuf::new()
            }
        };
        Some(Self {
            sets,
            folder: current.unwrap_or(Path::new("/")).join(folder),
            multiplexing: parse(
                lookup,
                MULTIPLEXING,
                "the first set is used",
                Multiplexing::parse,
                report,
            )
            .unwrap_or_default(),
            kernels: parse(
                lookup,
                KERNEL_FILTER,
                "all kernels are counted",
                KernelFilter::parse,
                report,
            ),
            range: parse(
                lookup,
                RANGE,
                "all launches are counted",
                LaunchRange::parse,
                report,
            ),
        })
    }
}

fn parse<T>(
    lookup: &dyn Fn(&str) -> Option<OsString>,
    variable: &'static str,
    consequence: &'static str,
    parse: impl FnOnce(&str) -> Result<T, String>,
    report: &mut dyn FnMut(Problem),
) -> Option<T> {
    let value = value_of(lookup, variable)?;
    let parsed = match value.to_str() {
        Some(text) => parse(text),
        None => Err("expected UTF-8".to_owned()),
    };
    parsed
        .map_err(|expected| {
            report(Problem {
                variable,
                value: value.to_string_lossy().into_owned(),
                expected,
                consequence,
            });
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> (Option<Settings>, Vec<String>) {
        let lookup = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let mut problems = Vec::new();
        let settings = Settings::read(&lookup, Some(Path::new("/cwd")), &mut |problem| {
            problems.push(problem.to_string())
        });
        (settings, problems)
    }

    #[test]
    fn unset_and_empty_act_alike() {
        for counters in [&[][..], &[(COUNTERS, "")]] {
            let (settings, problems) = read(counters);
            assert!(settings.is_none());
            assert!(problems.is_empty());
        }
        for extra in [
            &[][..],
            &[
                (OUTPUT_PATH, ""),
                (MULTIPLEXING, ""),
                (KERNEL_FILTER, ""),
                (RANGE, ""),
            ],
        ] {
            let mut all = vec![(COUNTERS, "pmc: A")];
            all.extend(extra);
            let (settings, problems) = read(&all);
            let settings = settings.unwrap();
            assert_eq!(settings.folder, Path::new("/cwd/"));
            assert_eq!(settings.multiplexing, Multiplexing::Off);
            assert!(settings.kernels.is_none() && settings.range.is_none());
            assert_eq!(problems.len(), 1, "{problems:?}");
        }
    }

    #[test]
    fn a_bad_value_is_one_line_and_disables_what_it_describes() {
        let bad = [
            (MULTIPLEXING, "random", "the first set is used"),
            (KERNEL_FILTER, "(", "all kernels are counted"),
            (RANGE, "[3:2]", "all launches are counted"),
        ];
        for (variable, value, consequence) in bad {
            let (settings, problems) = read(&[
                (COUNTERS, "pmc: A B"),
                (OUTPUT_PATH, "/out"),
                (variable, value),
            ]);
            let settings = settings.unwrap();
            assert_eq!(settings.multiplexing, Multiplexing::Off);
            assert!(settings.kernels.is_none() && settings.range.is_none());
            let [problem] = &problems[..] else {
                panic!("{problems:?}")
            };
            assert!(
                problem.contains(variable)
                    && problem.contains(value)
                    && problem.ends_with(consequence),
                "{problem}"
            );
        }
        let (settings, problems) = read(&[(COUNTERS, "A B"), (OUTPUT_PATH, "/out")]);
        assert!(settings.is_none());
        assert_eq!(problems.len(), 1);
        assert!(problems[0].ends_with("nothing is counted"), "{problems:?}");
    }

    #[test]
    fn a_relative_folder_is_the_current_directorys() {
        let (settings, _) = read(&[(COUNTERS, "pmc: A"), (OUTPUT_PATH, "out/run 1")]);
        assert_eq!(settings.unwrap().folder, Path::new("/cwd/out/run 1"));
    }
}
