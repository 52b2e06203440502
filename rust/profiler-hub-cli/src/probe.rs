//! `profiler-hub probe`: says what files are, one line for each.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use rocpd::probe::{Finding, Status, probe};
use serde::Serialize;

/// What to probe.
#[derive(Args)]
pub(crate) struct ProbeArgs {
    /// The files to probe.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object a line: path, status, version, guids, message, and result, the code
    /// that the C functions return for the file.
    #[arg(long)]
    json: bool,
}

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    path: Cow<'a, str>,
    status: &'static str,
    version: Option<String>,
    guids: Vec<&'a str>,
    message: &'a str,
    result: &'static str,
}

pub(crate) fn run(args: &ProbeArgs) -> ExitCode {
    let mut all_supported = true;
    let mut out = io::stdout().lock();
    for path in &args.files {
        let finding = probe(path);
        all_supported &= finding.status == Status::Supported;
        let line = if args.json {
            json_line(path, &finding)
        } else {
            text_line(path, &finding)
        };
        // Flushed line by line, so that what is known is seen while the next file is waited for.
        if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
            report(&error);
            return ExitCode::from(4);
        }
    }
    ExitCode::from(if all_supported { 0 } else { 3 })
}

fn text_line(path: &Path, finding: &Finding) -> String {
    let version = finding
        .version
        .map_or_else(|| "unknown".into(), |version| version.to_string());
    let guids: Vec<_> = finding.guids.iter().map(|guid| guid.as_str()).collect();
    let guids = if guids.is_empty() {
        "none".into()
    } else {
        guids.join(" ")
    };
    // The path is in its own place already.
    let reason = finding
        .message
        .strip_prefix(&format!("{}: ", path.display()))
        .unwrap_or(&finding.message);
    let line = format!(
        "{}: {}, version {version}, guids {guids}: {reason}",
        path.display(),
        finding.status
    );
    // A name with a line break would make two lines of it.
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if c.is_control() {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}

fn json_line(path: &Path, finding: &Finding) -> String {
    let line = Line {
        path: path.to_string_lossy(),
        status: finding.status.as_str(),
        version: finding.version.map(|version| version.to_string()),
        guids: finding.guids.iter().map(|guid| guid.as_str()).collect(),
        message: &finding.message,
        result: c_result(finding.status),
    };
    serde_json::to_string(&line).expect("texts and lists of texts always have a JSON form")
}

/// The result code of the C functions for a status. Source: the C header's `ph_result_t`.
const fn c_result(status: Status) -> &'static str {
    match status {
        Status::Supported => "PH_RESULT_SUCCESS",
        Status::FileNotFound
        | Status::Unreadable
        | Status::MetadataMalformed
        | Status::MetadataAmbiguous => "PH_RESULT_INVALID_DATABASE",
        Status::NotSqlite => "PH_RESULT_UNSUPPORTED_DATABASE",
        Status::MetadataMissing => "PH_RESULT_METADATA_MISSING",
        Status::UnsupportedSchemaVersion => "PH_RESULT_UNSUPPORTED_SCHEMA_VERSION",
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a command tells its user what went wrong"
)]
fn report(error: &io::Error) {
    eprintln!("profiler-hub: cannot write to the standard output: {error}");
}
