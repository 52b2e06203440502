//! How a long run is shown, stopped and ended: progress bars, Ctrl-C, the report, the exit code.

use std::collections::HashMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use profiler_hub_analyze::{Error, Report, Watch};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// A run that is watched: a progress bar for each pass on a terminal, and signals that stop it.
pub(crate) struct Run {
    bars: MultiProgress,
    passes: Mutex<HashMap<String, ProgressBar>>,
    stop: Arc<AtomicBool>,
    /// The signal that asked, to end by it when everything is cleaned up.
    signals: Vec<(i32, Arc<AtomicBool>)>,
}

impl Run {
    /// From here on the first Ctrl-C asks the run to stop; the second one ends the process at once.
    pub(crate) fn begin() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let mut signals = Vec::new();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let came = Arc::new(AtomicBool::new(false));
            // The order counts: the second signal finds `stop` set and ends the process.
            let registered =
                signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))
                    .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
                    .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&came)));
            // Where a signal cannot be caught, it ends the process as it would anyway.
            if registered.is_ok() {
                signals.push((signal, came));
            }
        }
        Self {
            // Draws nothing where stderr is no terminal.
            bars: MultiProgress::new(),
            passes: Mutex::new(HashMap::new()),
            stop,
            signals,
        }
    }

    fn bar(&self, pass: &str) -> ProgressBar {
        let mut passes = self.passes.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = passes.entry(pass.to_owned()).or_insert_with(|| {
            let style = ProgressStyle::with_template("{prefix} {wide_bar} {human_pos}/{human_len}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bars
                .add(ProgressBar::new(0))
                .with_style(style)
                .with_prefix(pass.to_owned())
        });
        bar.clone()
    }
}

impl Watch for Run {
    fn pass_begun(&self, pass: &str, values: u64) {
        self.bar(pass).inc_length(values);
    }

    fn values_read(&self, pass: &str, values: u64) {
        self.bar(pass).inc(values);
    }

    fn pass_done(&self, pass: &str) {
        self.bar(pass).finish();
    }

    fn stop(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.stop))
    }
}

/// Shows the report or the error, and gives the exit code.
pub(crate) fn finish(run: Run, what: &str, result: Result<Report, Error>) -> ExitCode {
    // Bars that were drawn go away, so that the table stands alone.
    let _ = run.bars.clear();
    match result {
        Ok(report) => {
            tell(&report.to_table());
            ExitCode::from(report.exit_code)
        }
        Err(error) => {
            tell(&format!("profiler-hub: cannot {what}: {error}\n"));
            if matches!(error, Error::Interrupted) {
                for (signal, came) in &run.signals {
                    if came.load(Ordering::Relaxed) {
                        // Ends the process, so that the caller sees the signal.
                        let _ = signal_hook::low_level::emulate_default_handler(*signal);
                    }
                }
            }
            ExitCode::from(exit_code(&error))
        }
    }
}

fn exit_code(error: &Error) -> u8 {
    match error {
        Error::Output { .. } => 4,
        Error::Inconsistent { .. } => 70,
        _ => 3,
    }
}

/// Writes to stderr; who closed it does not want to know.
fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
