//! Whole runs: all passes of a workload into one table, or one pair of files merged.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::export::Table;
use crate::export::csv::{Csv, Pending};
use crate::inventory::{FileFacts, Kind};
use crate::pass::{Attempt, How, Prepared, prepare};
use crate::report::{FileNote, PassReport, Report};
use crate::watch::{Watch, is_asked_to_stop};
use crate::workload::{self, Pass, Workload};
use crate::{Error, Result};

/// What to analyze, and how.
#[derive(Clone, Debug)]
pub struct AnalyzeOptions {
    /// A workload folder, or database files one by one.
    pub paths: Vec<PathBuf>,
    /// Where the table goes.
    pub output: PathBuf,
    /// Where the report goes as JSON, if anywhere.
    pub json_report: Option<PathBuf>,
    /// Touch neither file of a pair.
    pub read_only: bool,
    /// Merge again what an earlier run has merged.
    pub force: bool,
    /// How many passes are merged at once.
    pub jobs: NonZeroUsize,
}

/// What to merge.
#[derive(Clone, Debug)]
pub struct MergeOptions {
    /// The SDK's file, which gets the values.
    pub sdk: PathBuf,
    /// The native tool's file, which is only read.
    pub native: PathBuf,
    /// Where the report goes as JSON, if anywhere.
    pub json_report: Option<PathBuf>,
    /// Merge again what an earlier run has merged.
    pub force: bool,
}

/// Merges the passes of a workload and writes its table. The table appears whole or not at all;
/// where no file can be used it does not appear, and the report's exit code is 3.
///
/// # Errors
/// [`Error::Unusable`] and [`Error::Input`] if there is nothing to analyze, [`Error::Output`] if a
/// result cannot be written, [`Error::Interrupted`].
pub fn analyze(options: &AnalyzeOptions, watch: &dyn Watch) -> Result<Report> {
    let Workload { passes, beside } = workload::find(&options.paths)?;
    let csv = Csv::create(&options.output)?;
    let json = options
        .json_report
        .as_deref()
        .map(Pending::create)
        .transpose()?;
    if let Some(json) = json.as_ref().filter(|json| json.target() == csv.target()) {
        return Err(Error::Output {
            path: json.target().into(),
            action: "write the report there",
            reason: "the table goes there; name another file".into(),
        });
    }
    for target in [Some(csv.target()), json.as_ref().map(Pending::target)] {
        let inputs = passes.iter().flat_map(|pass| &pass.files);
        inputs
            .map(PathBuf::as_path)
            .try_for_each(|input| keep_apart(target, input))?;
    }
    let mut table = Table::new(csv);
    let how = How {
        read_only: options.read_only,
        force: options.force,
    };
    let mut report = Report {
        exported: true,
        ..Report::default()
    };
    for path in beside {
        let reason = "it lies beside the folders of the passes; move it into the one it is of";
        report.skipped_files.push(FileNote {
            path,
            reason: reason.into(),
        });
    }
    let mut counters = BTreeSet::new();
    prepared_in_order(
        &passes,
        options.jobs,
        how,
        watch,
        |pass, attempt, prepared| {
            let (pass, names) = export(pass, attempt, prepared, how, &mut table, watch)?;
            counters.extend(names);
            report.add(pass);
            Ok(())
        },
    )?;
    report.counts.counters = counters.len() as u64;
    if report.passes.iter().all(|pass| pass.rocpd_files == 0) {
        report.exit_code = 3;
    } else {
        table.csv.publish()?;
    }
    if let Some(json) = json {
        json.publish_text(&report.to_json())?;
    }
    Ok(report)
}

/// Merges a native file into the SDK's file of the same process.
///
/// # Errors
/// [`Error::Unusable`], [`Error::Refused`] and [`Error::Input`] if one of the files is not what it
/// should be, [`Error::Output`] if the SDK's file cannot be written, [`Error::Interrupted`].
pub fn merge(options: &MergeOptions, watch: &dyn Watch) -> Result<Report> {
    let json = options
        .json_report
        .as_deref()
        .map(Pending::create)
        .transpose()?;
    let target = json.as_ref().map(Pending::target);
    for (path, kind, expected) in [
        (
            &options.sdk,
            Kind::Sdk,
            "an SDK file, with kernel dispatches",
        ),
        (
            &options.native,
            Kind::Native,
            "a native file, with counter values and no dispatch",
        ),
    ] {
        keep_apart(target, path)?;
        let facts = FileFacts::read(path)?;
        if !facts.has(kind) {
            let found = match () {
                () if facts.has(Kind::Sdk) => "the SDK's file",
                () if facts.has(Kind::Native) => "the native tool's file",
                () => "neither kernel dispatches nor counter values",
            };
            return Err(Error::Unusable {
                path: path.clone(),
                found: found.into(),
                expected: format!("{expected}; name the SDK's file first, then the native one"),
            });
        }
    }
    let pass = Pass {
        name: String::new(),
        path: options.sdk.clone(),
        files: vec![options.sdk.clone(), options.native.clone()],
    };
    let how = How {
        read_only: false,
        force: options.force,
    };
    let prepared = prepare(&pass, how, &mut Attempt::default(), watch)?;
    let pass_report = prepared.into_report();
    if let Some(skipped) = pass_report.skipped_files.first() {
        return Err(Error::Refused {
            path: skipped.path.clone(),
            message: skipped.reason.clone(),
        });
    }
    watch.pass_done(&pass.name);
    let mut report = Report::default();
    report.add(pass_report);
    if let Some(json) = json {
        json.publish_text(&report.to_json())?;
    }
    Ok(report)
}

/// Refuses to write a result over a database.
fn keep_apart(target: Option<&Path>, input: &Path) -> Result<()> {
    match (target, fs::canonicalize(input)) {
        (Some(target), Ok(real)) if real == target => Err(Error::Output {
            path: input.into(),
            action: "write a result there",
            reason: "it is one of the inputs; name another file".into(),
        }),
        _ => Ok(()),
    }
}

/// Prepares passes, several at once, and hands them on in their order.
fn prepared_in_order(
    passes: &[Pass],
    jobs: NonZeroUsize,
    how: How,
    watch: &dyn Watch,
    mut take: impl FnMut(&Pass, Attempt, Prepared) -> Result<()>,
) -> Result<()> {
    let turn = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..jobs.get().min(passes.len()) {
            let send = send.clone();
            let turn = &turn;
            scope.spawn(move || {
                loop {
                    let number = turn.fetch_add(1, Ordering::Relaxed);
                    let Some(pass) = passes.get(number) else {
                        break;
                    };
                    let mut attempt = Attempt::default();
                    let prepared = prepare(pass, how, &mut attempt, watch);
                    // Nobody listens any more where the run has failed.
                    if send.send((number, attempt, prepared)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut waiting: Vec<_> = passes.iter().map(|_| None).collect();
        for (number, pass) in passes.iter().enumerate() {
            let (attempt, prepared) = loop {
                if let Some(done) = waiting[number].take() {
                    break done;
                }
                // A worker that is gone without an answer has panicked; its panic is passed on.
                let (done, attempt, prepared) = receive.recv().map_err(|_| Error::Interrupted)?;
                waiting[done] = Some((attempt, prepared));
            };
            if is_asked_to_stop(watch) {
                return Err(Error::Interrupted);
            }
            take(pass, attempt, prepared?)?;
        }
        Ok(())
    })
}

/// Appends the rows of a pass; begins the pass again without a file that turns out to be unusable.
fn export(
    pass: &Pass,
    mut attempt: Attempt,
    mut prepared: Prepared,
    how: How,
    table: &mut Table,
    watch: &dyn Watch,
) -> Result<(PassReport, BTreeSet<Box<[u8]>>)> {
    let position = table.position();
    loop {
        match prepared.export(pass, table, watch) {
            Ok(done) => return Ok(done),
            Err(error) => attempt.survive(pass, error)?,
        }
        table.rewind(position)?;
        prepared = prepare(pass, how, &mut attempt, watch)?;
    }
}
