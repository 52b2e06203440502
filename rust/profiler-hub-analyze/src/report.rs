//! What a run found out: the numbers, what was left aside, and why.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

/// Values that were merged nowhere, by the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmerged {
    /// No SDK file has the process.
    pub process: u64,
    /// The process has no such dispatch, or the value names none.
    pub dispatch: u64,
    /// The dispatch's process has no such counter for the agent.
    pub counter: u64,
    /// More than one place fits.
    pub ambiguous: u64,
}

impl Unmerged {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.process + self.dispatch + self.counter + self.ambiguous
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.process += other.process;
        self.dispatch += other.dispatch;
        self.counter += other.counter;
        self.ambiguous += other.ambiguous;
    }
}

/// The numbers of a pass or of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Values in native files; SPM values are not among them.
    pub native_values: u64,
    /// Those that are on their dispatch, also those that an earlier run put there.
    pub merged_values: u64,
    /// Those among them that an earlier run put there.
    pub merged_earlier: u64,
    /// Those that are on no dispatch.
    pub unmerged_values: Unmerged,
    /// PMC events that belong to streamed samples: no counter values of a dispatch.
    pub spm_values: u64,
    /// Rows of the table.
    pub rows: u64,
    /// Rows that the view `counters_collection` would not show.
    pub hidden_rows: u64,
    /// Sums that are no finite number: an empty field.
    pub infinite_sums: u64,
    /// Dispatches in the table that end before they start, or have no time.
    pub odd_timestamps: u64,
    /// Processes in the table.
    pub processes: u64,
    /// Dispatches in the table.
    pub dispatches: u64,
    /// Counter names in the table, per guid.
    pub counters: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.native_values += other.native_values;
        self.merged_values += other.merged_values;
        self.merged_earlier += other.merged_earlier;
        self.unmerged_values.add(&other.unmerged_values);
        self.spm_values += other.spm_values;
        self.rows += other.rows;
        self.hidden_rows += other.hidden_rows;
        self.infinite_sums += other.infinite_sums;
        self.odd_timestamps += other.odd_timestamps;
        self.processes += other.processes;
        self.dispatches += other.dispatches;
        self.counters = self.counters.max(other.counters);
    }
}

/// A file, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileNote {
    /// The file.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// Why it is named here.
    pub reason: String,
}

/// A process that only one of the two files has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnpairedProcess {
    /// The OS pid.
    pub pid: Option<i64>,
    /// The machine's id, as far as it is recorded.
    pub machine_id: Option<String>,
    /// The file that has the process.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// Which file is missing.
    pub reason: String,
}

/// A process that several native files of a pass have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AmbiguousProcess {
    /// The OS pid.
    pub pid: i64,
    /// The machine's id, as far as it is recorded.
    pub machine_id: Option<String>,
    /// One of the files.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// What is the matter.
    pub reason: String,
}

/// One pass.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PassReport {
    /// The folder's name.
    pub name: String,
    /// Whether the machine ids of the two sides agree nowhere, so that the pid alone decided.
    pub matched_by_pid_alone: bool,
    /// Its numbers.
    #[serde(flatten)]
    pub counts: Counts,
    /// How many of its files are rocpd files that can be read here, also those without data.
    pub rocpd_files: u64,
    /// Files that cannot be used.
    #[serde(skip)]
    pub skipped_files: Vec<FileNote>,
    /// SDK files that something else filled with values: they are exported as they are.
    #[serde(skip)]
    pub filled_files: Vec<FileNote>,
    /// Native files that were written to after they had been merged.
    #[serde(skip)]
    pub changed_files: Vec<FileNote>,
    /// Files that were used, with a grain of salt.
    #[serde(skip)]
    pub warnings: Vec<FileNote>,
    /// Processes that only one of the two files has.
    #[serde(skip)]
    pub unpaired_processes: Vec<UnpairedProcess>,
    /// Processes that several native files have.
    #[serde(skip)]
    pub ambiguous_processes: Vec<AmbiguousProcess>,
}

/// A whole run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The numbers of all passes.
    #[serde(flatten)]
    pub counts: Counts,
    /// The passes, in order.
    pub passes: Vec<PassReport>,
    /// Files that cannot be used.
    pub skipped_files: Vec<FileNote>,
    /// SDK files that something else filled with values: they are exported as they are.
    pub filled_files: Vec<FileNote>,
    /// Processes that only one of the two files has.
    pub unpaired_processes: Vec<UnpairedProcess>,
    /// Processes that several native files have.
    pub ambiguous_processes: Vec<AmbiguousProcess>,
    /// Native files that were written to after they had been merged.
    pub changed_files: Vec<FileNote>,
    /// Files that were used, with a grain of salt.
    pub warnings: Vec<FileNote>,
    /// What the command exits with: 0, or 1 if a person should look at something.
    pub exit_code: u8,
    /// Whether a table was written, so that there are rows to count.
    #[serde(skip)]
    pub(crate) exported: bool,
}

impl Report {
    pub(crate) fn add(&mut self, mut pass: PassReport) {
        self.counts.add(&pass.counts);
        self.skipped_files.append(&mut pass.skipped_files);
        self.filled_files.append(&mut pass.filled_files);
        self.changed_files.append(&mut pass.changed_files);
        self.warnings.append(&mut pass.warnings);
        self.unpaired_processes.append(&mut pass.unpaired_processes);
        self.ambiguous_processes
            .append(&mut pass.ambiguous_processes);
        self.passes.push(pass);
        let look = self.counts.unmerged_values.total() > 0
            || !self.skipped_files.is_empty()
            || !self.filled_files.is_empty()
            || !self.changed_files.is_empty()
            || !self.unpaired_processes.is_empty()
            || !self.ambiguous_processes.is_empty();
        self.exit_code = u8::from(look);
    }

    /// The report as JSON.
    ///
    /// # Panics
    /// Never: numbers and texts always have a JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json =
            serde_json::to_string_pretty(self).expect("numbers and texts have a JSON form");
        json.push('\n');
        json
    }

    /// The report as a short table for a person.
    #[must_use]
    pub fn to_table(&self) -> String {
        let counts = &self.counts;
        let unmerged = &counts.unmerged_values;
        let mut lines: Vec<(String, String)> = Vec::new();
        if self.exported {
            lines.extend([
                ("passes".into(), self.passes.len().to_string()),
                ("processes".into(), counts.processes.to_string()),
                ("dispatches".into(), counts.dispatches.to_string()),
                ("counters".into(), counts.counters.to_string()),
                ("rows".into(), counts.rows.to_string()),
            ]);
        }
        lines.push(("native values".into(), counts.native_values.to_string()));
        let earlier = match counts.merged_earlier {
            0 => String::new(),
            earlier => format!(" ({earlier} of them by an earlier run)"),
        };
        lines.push((
            "values merged".into(),
            format!("{}{earlier}", counts.merged_values),
        ));
        lines.push(("values not merged".into(), unmerged.total().to_string()));
        for (reason, number) in [
            ("no such process", unmerged.process),
            ("no such dispatch", unmerged.dispatch),
            ("no such counter", unmerged.counter),
            ("more than one candidate", unmerged.ambiguous),
        ] {
            if number > 0 {
                lines.push((format!("  {reason}"), number.to_string()));
            }
        }
        for (what, number) in [
            ("SPM values, left aside", counts.spm_values),
            ("rows the standard view hides", counts.hidden_rows),
            ("sums that are not finite", counts.infinite_sums),
            ("dispatches with odd times", counts.odd_timestamps),
        ] {
            if number > 0 {
                lines.push((what.into(), number.to_string()));
            }
        }
        lines.push(("files skipped".into(), self.skipped_files.len().to_string()));
        let width = lines.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
        let mut table = String::new();
        for (what, number) in lines {
            // Writing to a String cannot fail.
            let _ = writeln!(table, "{what:width$}  {number}");
        }
        for line in self.notes() {
            let _ = writeln!(table, "{line}");
        }
        table
    }

    /// One line for each thing that a person should know.
    fn notes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (what, notes) in [
            ("skipped", &self.skipped_files),
            ("not merged into", &self.filled_files),
            ("not merged again", &self.changed_files),
            ("note", &self.warnings),
        ] {
            for note in notes {
                lines.push(format!("{what}: {}: {}", note.path.display(), note.reason));
            }
        }
        for process in &self.unpaired_processes {
            let pid = process
                .pid
                .map_or_else(|| "unknown".into(), |pid| pid.to_string());
            let path = process.path.display();
            lines.push(format!("process {pid}: {path}: {}", process.reason));
        }
        for process in &self.ambiguous_processes {
            let path = process.path.display();
            lines.push(format!(
                "process {}: {path}: {}",
                process.pid, process.reason
            ));
        }
        for pass in self.passes.iter().filter(|pass| pass.matched_by_pid_alone) {
            lines.push(format!(
                "pass '{}': the machine ids of the two sides agree nowhere; the pid alone decided",
                pass.name
            ));
        }
        lines
    }
}

fn lossy<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
