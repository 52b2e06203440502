//! `profiler-hub native-tool`: prints where the native counter tool is, and builds it where there is none.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use profiler_hub_build::{
    Builder, Error, Event, Origin, Places, Product, Step, Toolchain, find, locate_sources,
};
use serde_json::json;

/// Where to look and what to do.
#[derive(Args)]
pub(crate) struct NativeToolArgs {
    /// Only look for an installed or already built tool; never build.
    #[arg(long, conflicts_with = "build")]
    find: bool,
    /// Do not look for an installed tool; take the one built from these sources, and build it if need be.
    #[arg(long)]
    build: bool,
    /// Print one JSON object: path and origin (installed, cached, built), or step, message and log of the failure.
    #[arg(long)]
    json: bool,
    /// A file of the SDK's, such as librocprofiler-sdk-tool.so: look below the same root first.
    #[arg(long, value_name = "FILE")]
    sdk_tool: Option<PathBuf>,
    /// The source tree to build from [default: the one around or installed with this program]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// The folder of finished builds [default: PROFILER_HUB_CACHE_DIR, else profiler-hub in XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Let cargo download crates that are not on this machine (also by PROFILER_HUB_ALLOW_DOWNLOAD=1).
    #[arg(long)]
    allow_download: bool,
}

/// A tool that was found, and how.
struct Found {
    path: PathBuf,
    origin: &'static str,
}

pub(crate) fn run(args: &NativeToolArgs) -> ExitCode {
    let (text, code) = match locate(args) {
        Ok(found) if args.json => (
            json!({"path": found.path.to_string_lossy(), "origin": found.origin}).to_string(),
            0,
        ),
        Ok(found) => (found.path.display().to_string(), 0),
        Err(error) => {
            let code = if error.step() == Step::Cache { 4 } else { 3 };
            complain(&error);
            let log = error.log().map(Path::to_string_lossy);
            let text =
                json!({"step": error.step(), "message": error.to_string(), "log": log}).to_string();
            if !args.json {
                return ExitCode::from(code);
            }
            (text, code)
        }
    };
    match writeln!(io::stdout(), "{text}") {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::from(4),
    }
}

fn locate(args: &NativeToolArgs) -> Result<Found, Error> {
    let program = env::current_exe().ok();
    let rocm_path = env::var_os("ROCM_PATH")
        .filter(|value| !value.is_empty())
        .map(PathBuf::from);
    if !args.build {
        let places = Places {
            sdk_tool: args.sdk_tool.clone(),
            rocm_path: rocm_path.clone(),
            program: program.clone(),
            ..Places::default()
        };
        match find(Product::NativeTool, &places) {
            Ok(path) => {
                return Ok(Found {
                    path,
                    origin: "installed",
                });
            }
            // Whatever keeps us from looking into the cache, what is wrong is that no tool is installed.
            Err(error) if args.find => {
                let cached = builder(args, program.as_deref(), rocm_path)
                    .and_then(|builder| builder.cached(&toolchain()?));
                return cached
                    .ok()
                    .flatten()
                    .map(|ready| Found {
                        path: ready.path,
                        origin: "cached",
                    })
                    .ok_or(error);
            }
            Err(_) => {}
        }
    }
    let builder = builder(args, program.as_deref(), rocm_path)?;
    let toolchain = toolchain()?;
    let progress = progress();
    let built = builder.build(&toolchain, |event| match event {
        Event::Waiting => {
            progress.set_message("waiting for another process that builds the native counter tool")
        }
        Event::Building { log } => {
            progress.set_message(format!(
                "building the native counter tool, for a minute or two; log: {}",
                log.display()
            ));
        }
    });
    progress.finish_and_clear();
    let ready = built?;
    let origin = match ready.origin {
        Origin::Cached => "cached",
        Origin::Built => "built",
    };
    Ok(Found {
        path: ready.path,
        origin,
    })
}

fn builder(
    args: &NativeToolArgs,
    program: Option<&Path>,
    rocm_path: Option<PathBuf>,
) -> Result<Builder, Error> {
    let source = match &args.source {
        Some(source) => locate_sources(source)?,
        None => locate_sources(program.unwrap_or(Path::new("/")))?,
    };
    Ok(Builder {
        product: Product::NativeTool,
        source,
        cache: args.cache.clone().unwrap_or_else(default_cache),
        rocm_path,
        allow_download: args.allow_download
            || env::var_os("PROFILER_HUB_ALLOW_DOWNLOAD").is_some_and(|value| value == "1"),
    })
}

fn default_cache() -> PathBuf {
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    folder("PROFILER_HUB_CACHE_DIR")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("profiler-hub")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/profiler-hub")))
        .unwrap_or_else(|| env::temp_dir().join("profiler-hub-cache"))
}

fn toolchain() -> Result<Toolchain, Error> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let more: Vec<_> = cargo_home
        .into_iter()
        .chain(env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))
        .map(|home| home.join("bin"))
        .collect();
    Toolchain::find(
        &env::var_os("PATH").unwrap_or_default(),
        &more,
        env::var_os("CC").as_deref(),
    )
}

/// A spinner on a terminal, nothing elsewhere.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

#[expect(
    clippy::print_stderr,
    reason = "a command tells its user what went wrong"
)]
fn complain(error: &Error) {
    let step = json!(error.step());
    eprintln!(
        "profiler-hub native-tool: step {}: {error}",
        step.as_str().unwrap_or_default()
    );
}
