//! One pass from its files to its rows: look into the files, pair them, merge, export.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::error::reading;
use crate::export::{Export, Scan, Seen, Table};
use crate::inventory::{FileFacts, Kind};
use crate::mark::Mark;
use crate::matching::{Matching, total};
use crate::merge::{Census, merge_into};
use crate::pairing::{At, Native, Pairing, pair};
use crate::places::Places;
use crate::report::{Counts, FileNote, PassReport, Unmerged};
use crate::watch::Watch;
use crate::workload::Pass;
use crate::{Error, Result};

/// How often a pass is begun again because its files changed meanwhile.
const TRIES: u32 = 5;

/// How to work on a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// Touch nothing; read native values where they are.
    pub(crate) read_only: bool,
    /// Take out what an earlier merge put into the SDK's files, and merge again.
    pub(crate) force: bool,
}

/// A pass whose values are where they belong, or known to be read where they are.
#[derive(Debug)]
pub(crate) struct Prepared {
    files: Vec<FileFacts>,
    pairing: Pairing,
    /// Places in `pairing.natives` of those whose values are not in the SDK's files.
    unmerged: Vec<usize>,
    report: PassReport,
}

/// What is remembered of a pass while it is tried again.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    /// Files that turned out to be unusable, and why.
    unusable: BTreeMap<PathBuf, String>,
    /// SDK guid and native guid of what this run has merged: it is not "merged earlier".
    fresh: Vec<(String, String)>,
    changes: u32,
}

impl Attempt {
    /// Notes what an error says, so that the pass can be begun again: a file to be left out, or that
    /// files have changed. Any other error is given back.
    pub(crate) fn survive(&mut self, pass: &Pass, error: Error) -> Result<()> {
        if let Error::Input(rocpd::Error::Changed { .. }) = error {
            self.changes += 1;
            return match self.changes {
                0..TRIES => Ok(()),
                _ => Err(Error::Unsettled {
                    path: pass.path.clone(),
                }),
            };
        }
        let path = match error.unusable_input() {
            Some(path) if pass.files.iter().any(|file| file == path) => path.to_owned(),
            _ => return Err(error),
        };
        let message = error.to_string();
        let prefix = format!("{}: ", path.display());
        let reason = message.strip_prefix(&prefix).unwrap_or(&message).to_owned();
        match self.unusable.insert(path, reason) {
            None => Ok(()),
            Some(_) => Err(error),
        }
    }
}

/// Looks into the files of a pass and merges. Files that cannot be used are named and left out.
pub(crate) fn prepare(
    pass: &Pass,
    how: How,
    attempt: &mut Attempt,
    watch: &dyn Watch,
) -> Result<Prepared> {
    loop {
        match try_prepare(pass, how, attempt, watch) {
            Ok(prepared) => return Ok(prepared),
            Err(error) => attempt.survive(pass, error)?,
        }
    }
}

fn try_prepare(
    pass: &Pass,
    how: How,
    attempt: &mut Attempt,
    watch: &dyn Watch,
) -> Result<Prepared> {
    let mut report = PassReport {
        name: pass.name.clone(),
        ..PassReport::default()
    };
    let mut files = Vec::new();
    for path in &pass.files {
        if let Some(reason) = attempt.unusable.get(path) {
            report.skipped_files.push(note(path, reason.clone()));
            continue;
        }
        let facts = FileFacts::read(path)?;
        report.rocpd_files += 1;
        if !facts.has(Kind::Sdk) && !facts.has(Kind::Native) {
            let reason = "neither kernel dispatches nor counter values: the process used no GPU";
            report.skipped_files.push(note(path, reason.into()));
            continue;
        }
        files.push(facts);
    }
    describe(&files, &mut report);
    let pairing = pair(&files)?;
    report.matched_by_pid_alone = pairing.by_pid_alone;
    report.unpaired_processes.clone_from(&pairing.unpaired);
    report.ambiguous_processes.clone_from(&pairing.ambiguous);
    let mut prepared = Prepared {
        files,
        pairing,
        unmerged: Vec::new(),
        report,
    };
    prepared.count_absent_natives();
    prepared.merge(pass, how, &mut attempt.fresh, watch)?;
    Ok(prepared)
}

fn note(path: &Path, reason: String) -> FileNote {
    FileNote {
        path: path.into(),
        reason,
    }
}

/// What is to be said about files that are used.
fn describe(files: &[FileFacts], report: &mut PassReport) {
    for file in files {
        if let Some(warning) = &file.warning {
            report.warnings.push(note(file.path(), warning.clone()));
        }
        for guid in &file.guids {
            report.counts.spm_values += guid.spm_values;
        }
        if file.guids.iter().any(|guid| guid.filled) {
            let reason = "it has values, but no mark of a merge: something else filled it; it is \
                          exported as it is";
            report.filled_files.push(note(file.path(), reason.into()));
        }
    }
}

impl Prepared {
    /// Counts what was merged earlier from native files that are no longer there.
    fn count_absent_natives(&mut self) {
        let present: Vec<_> = self
            .pairing
            .natives
            .iter()
            .map(|native| native.at.of(&self.files).tables.guid.clone())
            .collect();
        let mut absent: BTreeMap<String, Vec<&Mark>> = BTreeMap::new();
        for (guid, mark) in self
            .files
            .iter()
            .flat_map(|file| &file.guids)
            .flat_map(|guid| &guid.marks)
        {
            if !present.contains(guid) {
                absent.entry(guid.to_string()).or_default().push(mark);
            }
        }
        let counts = &mut self.report.counts;
        for marks in absent.values() {
            let merged: u64 = marks.iter().map(|mark| mark.merged_values).sum();
            counts.merged_values += merged;
            counts.merged_earlier += merged;
            count_by_marks(marks, counts);
        }
    }

    fn merge(
        &mut self,
        pass: &Pass,
        how: How,
        fresh: &mut Vec<(String, String)>,
        watch: &dyn Watch,
    ) -> Result<()> {
        let mut written = Vec::new();
        let mut counted = HashSet::new();
        for number in 0..self.pairing.natives.len() {
            let native = &self.pairing.natives[number];
            let guid = native.at.of(&self.files);
            let file = &self.files[native.at.file];
            let connection = file.connect()?;
            let (native_values, last_id) =
                total(&connection, "main", guid).map_err(reading(file.path()))?;
            drop(connection);
            watch.pass_begun(&pass.name, native_values);
            self.report.counts.native_values += native_values;
            let name = guid.tables.guid.clone();
            let targets = targets(&self.files, native);
            let is_copy = !counted.insert(name.clone());
            if is_copy
                && targets
                    .iter()
                    .any(|at| at.of(&self.files).mark(&name).is_some())
            {
                // What was merged came from one of the copies, and is counted there.
                self.report.counts.unmerged_values.ambiguous += native_values;
                continue;
            }
            let merged_now =
                |at: &At| fresh.contains(&(at.of(&self.files).guid().to_owned(), name.to_string()));
            let (done, open): (Vec<At>, Vec<At>) = targets.iter().partition(|at| {
                at.of(&self.files).mark(&name).is_some() && (!how.force || merged_now(at))
            });
            let mut merged = 0;
            let mut marks = Vec::new();
            for at in &done {
                let mark = at.of(&self.files).mark(&name);
                let mark = mark.expect("those that are done have a mark").clone();
                merged += mark.merged_values;
                if !merged_now(at) {
                    self.report.counts.merged_earlier += mark.merged_values;
                }
                marks.push(mark);
            }
            self.report.counts.merged_values += merged;
            if open.is_empty() && !done.is_empty() {
                self.count_marked(number, native_values, last_id, &marks)?;
                continue;
            }
            if how.read_only {
                self.unmerged.push(number);
                continue;
            }
            let places = Places::find(&self.files, native)?;
            // With a single target the insertion itself tells, mostly.
            let unmerged = match targets.len() {
                1 => None,
                _ => Some(classify(&self.files, native, &places)?),
            };
            let census = Census {
                native_values,
                last_id,
                unmerged,
            };
            let mut by_file: BTreeMap<usize, Vec<At>> = BTreeMap::new();
            for at in open {
                by_file.entry(at.file).or_default().push(at);
            }
            let mut unmerged = unmerged.unwrap_or_default();
            for targets in by_file.values() {
                for (at, mark) in merge_into(&self.files, native, &places, targets, census, watch)?
                {
                    fresh.push((at.of(&self.files).guid().to_owned(), name.to_string()));
                    self.report.counts.merged_values += mark.merged_values;
                    unmerged = mark.unmerged_values;
                }
                written.push(targets[0].file);
            }
            self.report.counts.unmerged_values.add(&unmerged);
            // What follows sees the file as it is now.
            for &file in &written {
                let path = self.files[file].path().to_owned();
                self.files[file] = FileFacts::read(&path)?;
            }
            written.clear();
        }
        Ok(())
    }

    /// Counts a native guid all of whose targets have its mark.
    fn count_marked(
        &mut self,
        number: usize,
        native_values: u64,
        last_id: Option<i64>,
        marks: &[Mark],
    ) -> Result<()> {
        let native = &self.pairing.natives[number];
        let path = self.files[native.at.file].path();
        let same =
            |mark: &Mark| (mark.native_values, mark.last_native_id) == (native_values, last_id);
        if !marks.iter().all(same) {
            let reason = "it has changed since it was merged; --force merges it again";
            self.report.changed_files.push(note(path, reason.into()));
            // The report is about the values that were there then.
            self.report.counts.native_values -= native_values;
            let marks: Vec<_> = marks.iter().collect();
            count_by_marks(&marks, &mut self.report.counts);
            return Ok(());
        }
        let marks: Vec<_> = marks.iter().collect();
        let unmerged = match agreed(&marks, native_values) {
            Some(unmerged) => unmerged,
            None => {
                let places = Places::find(&self.files, native)?;
                classify(&self.files, native, &places)?
            }
        };
        self.report.counts.unmerged_values.add(&unmerged);
        Ok(())
    }

    pub(crate) fn into_report(self) -> PassReport {
        self.report
    }

    /// Appends the rows of the pass to the table.
    pub(crate) fn export(
        &self,
        pass: &Pass,
        table: &mut Table,
        watch: &dyn Watch,
    ) -> Result<(PassReport, BTreeSet<Box<[u8]>>)> {
        let unmerged: Vec<_> = self
            .unmerged
            .iter()
            .map(|&number| &self.pairing.natives[number])
            .collect();
        let mut export = Export {
            scan: Scan {
                pass: &pass.name,
                files: &self.files,
                unmerged: unmerged.clone(),
                found: Default::default(),
                watch,
            },
            table,
            counts: self.report.counts.clone(),
            seen: Seen::default(),
        };
        export.run()?;
        let mut counts = export.counts;
        for (number, native) in unmerged.iter().enumerate() {
            let found = export.scan.found.iter();
            let merged: u64 = found
                .filter(|((place, _), _)| *place == number)
                .map(|(_, found)| *found)
                .sum();
            let file = &self.files[native.at.file];
            let connection = file.connect()?;
            let (native_values, _) = total(&connection, "main", native.at.of(&self.files))
                .map_err(reading(file.path()))?;
            counts.merged_values += merged;
            let name = &native.at.of(&self.files).tables.guid;
            let targets = targets(&self.files, native);
            let marks = targets
                .iter()
                .filter_map(|at| at.of(&self.files).mark(name));
            let earlier: u64 = marks.map(|mark| mark.merged_values).sum();
            if merged + earlier < native_values {
                let places = Places::find(&self.files, native)?;
                let unmerged = classify(&self.files, native, &places)?;
                counts.unmerged_values.add(&unmerged);
            }
        }
        let sum = counts.merged_values + counts.unmerged_values.total();
        if sum != counts.native_values {
            return Err(Error::Inconsistent {
                path: pass.path.clone(),
                message: format!("of {} values {sum} are accounted for", counts.native_values),
            });
        }
        let report = PassReport {
            counts,
            ..self.report.clone()
        };
        watch.pass_done(&pass.name);
        Ok((report, export.seen.counters))
    }
}

fn classify(files: &[FileFacts], native: &Native, places: &Places) -> Result<Unmerged> {
    let file = &files[native.at.file];
    let connection = file.connect()?;
    let error = reading(file.path());
    let guid = native.at.of(files);
    let matching = Matching::load(&connection, "main", guid, places).map_err(&error)?;
    let (_, unmerged) = matching.count().map_err(&error)?;
    matching.unload().map_err(&error)?;
    Ok(unmerged)
}

/// Counts the values of a native guid as they were when it was merged; what was merged is counted
/// already.
fn count_by_marks(marks: &[&Mark], counts: &mut Counts) {
    let merged: u64 = marks.iter().map(|mark| mark.merged_values).sum();
    let total = marks.iter().map(|mark| mark.native_values).max();
    let total = total.unwrap_or(0).max(merged);
    let mut unmerged = agreed(marks, total).unwrap_or_default();
    // Where the marks do not agree, the rest went to processes that are not here.
    unmerged.process += total - merged - unmerged.total();
    counts.native_values += total;
    counts.unmerged_values.add(&unmerged);
}

/// The SDK guids that have processes of a native guid and may be written.
fn targets(files: &[FileFacts], native: &Native) -> Vec<At> {
    let mut targets: Vec<_> = native
        .slots
        .iter()
        .flat_map(|slot| &slot.candidates)
        .map(|process| process.at)
        .filter(|at| !at.of(files).filled)
        .collect();
    targets.sort();
    targets.dedup();
    targets
}

/// The reasons that fit the numbers of all marks of a native guid.
fn agreed(marks: &[&Mark], native_values: u64) -> Option<Unmerged> {
    let merged: u64 = marks.iter().map(|mark| mark.merged_values).sum();
    marks
        .iter()
        .map(|mark| mark.unmerged_values)
        .find(|unmerged| unmerged.total() + merged == native_values)
}
