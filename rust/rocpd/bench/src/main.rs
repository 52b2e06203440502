//! Measures how fast counter values are written, beside the limit: what SQLite does when it reads
//! the same rows from a trivial virtual table in C, with the same schema and options.
//!
//! Each measurement is a process of its own: CPU time and peak memory are the whole process's.

mod case;
mod limit;
mod ours;

use std::io::{self, Write};
use std::process::{Command, ExitCode};

use clap::Parser;

use case::{Case, Measured};

/// Measures how fast counter values are written, and prints a table.
///
/// M values/s are per second of CPU time; of several rounds the best counts.
#[derive(Parser)]
struct CommandLine {
    /// How many values to write.
    #[arg(long, value_delimiter = ',', default_value = "1000000,10000000")]
    values: Vec<u64>,
    /// How often to measure each case.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Measure what the options of the database cost instead, by the limit with one changed at a
    /// time; in the columns "of the limit" is then "of fast mode".
    #[arg(long)]
    options: bool,
    /// Runs one case and prints what it took; what the table is made of.
    #[arg(long, hide = true)]
    case: Option<String>,
}

fn main() -> ExitCode {
    let args = CommandLine::parse();
    let result = match &args.case {
        Some(name) => measure_here(name, args.values.first().copied().unwrap_or_default()),
        None if args.options => table(Case::OPTIONS, &args.values, args.rounds),
        None => table(Case::WRITING, &args.values, args.rounds),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "rocpd-bench: cannot measure: {error}");
            ExitCode::FAILURE
        }
    }
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn measure_here(name: &str, values: u64) -> Result<()> {
    let case = Case::find(name).ok_or_else(|| format!("no case is named {name}"))?;
    let measured = case.measure(values)?;
    writeln!(
        io::stdout(),
        "{} {} {}",
        measured.cpu_us,
        measured.peak_kib,
        measured.file_bytes
    )?;
    Ok(())
}

fn table(cases: &'static [Case], values: &[u64], rounds: u32) -> Result<()> {
    let mut out = io::stdout();
    for &values in values {
        writeln!(out, "\n{values} values\n")?;
        writeln!(
            out,
            "| case | M values/s | of the limit | bytes/value | peak MB |"
        )?;
        writeln!(out, "|---|---|---|---|---|")?;
        let mut best: Vec<Option<Measured>> = vec![None; cases.len()];
        for _ in 0..rounds {
            // Round by round, so that a slow spell of the machine meets every case.
            for (best, case) in best.iter_mut().zip(cases) {
                let measured = in_a_process(case, values)?;
                if best.is_none_or(|best| measured.cpu_us < best.cpu_us) {
                    *best = Some(measured);
                }
            }
        }
        let of = |name: &str| {
            let index = cases.iter().position(|case| case.name == name)?;
            best.get(index).copied().flatten()
        };
        for case in cases {
            let (Some(measured), Some(limit)) = (of(case.name), of(case.limit)) else {
                continue;
            };
            writeln!(
                out,
                "| {} | {:.2} | {:.2} | {:.1} | {:.0} |",
                case.name,
                ratio(values, measured.cpu_us),
                ratio(limit.cpu_us, measured.cpu_us),
                ratio(measured.file_bytes, values),
                ratio(measured.peak_kib, 1024),
            )?;
        }
    }
    Ok(())
}

fn in_a_process(case: &Case, values: u64) -> Result<Measured> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--case", case.name, "--values", &values.to_string()])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Vec<u64> = text
        .split_whitespace()
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    let &[cpu_us, peak_kib, file_bytes] = numbers.as_slice() else {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("{}: {error}", case.name).into());
    };
    Ok(Measured {
        cpu_us,
        peak_kib,
        file_bytes,
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a figure for people needs three digits"
)]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}
