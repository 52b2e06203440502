//! From the question to the answer: where the paths lie, what is missing, who brings it.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::action::{Action, choose};
use crate::judge::{Judgement, Question, judge};
use crate::locate::{nearest_folder, resolve};
use crate::locks::{LockError, OurLock, wait_for_git};
use crate::plan::{Leave, in_the_way, plan};
use crate::report::{By, Missing, PathReport, Report, State};
use crate::site::{Found, Site, find};
use crate::survey::Entry;
use crate::with_git::{Git, OnPath};
use crate::with_git2;

/// How often a path is followed again through links that came to light.
const ROUNDS: u32 = 8;

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Request {
    /// Relative to the current folder, or absolute.
    pub(crate) paths: Vec<PathBuf>,
    /// A folder whose work tree has to contain them.
    pub(crate) repo: Option<PathBuf>,
    /// Whether nothing is to be changed.
    pub(crate) check: bool,
    /// Whether git may fetch what a partial clone misses.
    pub(crate) allow_fetch: bool,
    /// Whether git is used even where libgit2 could do it.
    pub(crate) prefer_git: bool,
    /// How long to wait for other processes.
    pub(crate) wait: Duration,
}

/// Why there is no answer at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnsureError {
    #[error("cannot tell the current folder: {0}")]
    Here(io::Error),
    #[error("cannot follow {0}: {1}")]
    Follow(PathBuf, io::Error),
    #[error("{0} is no folder; --repo takes a folder of the source")]
    NoFolder(PathBuf),
}

/// Answers `request`.
pub(crate) fn ensure(request: &Request) -> Result<Report, EnsureError> {
    let here = env::current_dir().map_err(EnsureError::Here)?;
    let folder = match &request.repo {
        Some(repo) => resolve(&here, repo).map_err(|error| follow(repo, error))?,
        None => here.clone(),
    };
    if !folder.is_dir() {
        return Err(EnsureError::NoFolder(folder));
    }
    let mut guard = Guard {
        request,
        git: OnPath::default(),
        folder,
        deadline: Instant::now() + request.wait,
        states: vec![None; request.paths.len()],
        work_trees: vec![None; request.paths.len()],
        report: Report::default(),
    };
    let mut resolved = resolve_all(&here, &request.paths)?;
    for _ in 0..ROUNDS {
        guard.look_after(&resolved);
        let again = resolve_all(&here, &request.paths)?;
        if request.check || again == resolved || !guard.report.notes.is_empty() {
            break;
        }
        // A symbolic link came to light; what it leads to is needed, too.
        resolved = again;
    }
    Ok(guard.finish())
}

fn resolve_all(here: &Path, paths: &[PathBuf]) -> Result<Vec<PathBuf>, EnsureError> {
    paths
        .iter()
        .map(|path| resolve(here, path).map_err(|error| follow(path, error)))
        .collect()
}

fn follow(path: &Path, error: io::Error) -> EnsureError {
    EnsureError::Follow(path.to_owned(), error)
}

/// The place of a path in the question, and the path relative to the top of its work tree.
type Asked = (usize, Vec<u8>);

/// Who brought how many files of each path; `None` for a path that nobody brought.
type Brought = (By, Vec<Option<usize>>);

struct Guard<'a> {
    request: &'a Request,
    git: OnPath,
    /// Where the question comes from.
    folder: PathBuf,
    deadline: Instant,
    states: Vec<Option<State>>,
    work_trees: Vec<Option<PathBuf>>,
    report: Report,
}

impl Guard<'_> {
    fn finish(mut self) -> Report {
        let given = self.request.paths.iter().cloned();
        let paths =
            given
                .zip(self.work_trees)
                .zip(self.states)
                .map(|((given, work_tree), state)| PathReport {
                    given,
                    work_tree,
                    state: state.unwrap_or(State::Present),
                });
        self.report.paths = paths.collect();
        self.report
    }

    fn look_after(&mut self, resolved: &[PathBuf]) {
        let mut sites: BTreeMap<PathBuf, (Site, Vec<Asked>)> = BTreeMap::new();
        for (at, path) in resolved.iter().enumerate() {
            let from = match self.request.repo {
                Some(_) => &self.folder,
                None => nearest_folder(path),
            };
            match find(from, &self.git) {
                Found::Site(site) => match path.strip_prefix(&site.top) {
                    Ok(relative) => {
                        let relative = relative.as_os_str().as_bytes().to_vec();
                        self.work_trees[at] = Some(site.top.clone());
                        let top = site.top.clone();
                        sites
                            .entry(top)
                            .or_insert((site, Vec::new()))
                            .1
                            .push((at, relative));
                    }
                    Err(_) => self.without_git(at, path, Missing::Outside(Some(site.top))),
                },
                Found::Nothing => {
                    let missing = Missing::NotInSource(self.folder.clone());
                    self.without_git(at, path, missing);
                }
                Found::Closed(closed) => {
                    if path.exists() {
                        self.note(format!(
                            "whether {} is whole is not known: {}",
                            path.display(),
                            closed.why
                        ));
                    }
                    if let Some(command) = closed.remedy {
                        self.suggest(command);
                    }
                    self.without_git(at, path, Missing::Closed(closed.why));
                }
            }
        }
        for (site, asked) in sites.into_values() {
            if let Err(why) = self.look_after_site(&site, &asked) {
                self.note(why);
            }
            for (at, path) in &asked {
                if let Some(State::Missing(missing)) = &self.states[*at]
                    && let Some(command) = missing.remedy(&site.top, path)
                {
                    self.suggest(command);
                }
            }
        }
    }

    /// Nobody tells what belongs there: what is on disk is taken as it is.
    fn without_git(&mut self, at: usize, path: &Path, missing: Missing) {
        self.settle(
            at,
            if path.exists() {
                State::Present
            } else {
                State::Missing(missing)
            },
        );
    }

    /// A path that was brought stays one that was brought.
    fn settle(&mut self, at: usize, state: State) {
        match (&self.states[at], &state) {
            (Some(State::Added { .. }), State::Present) => {}
            _ => self.states[at] = Some(state),
        }
    }

    fn note(&mut self, note: String) {
        if !self.report.notes.contains(&note) {
            self.report.notes.push(note);
        }
    }

    fn suggest(&mut self, command: String) {
        if !self.report.commands.contains(&command) {
            self.report.commands.push(command);
        }
    }

    /// The error says why paths that are missing stay so.
    fn look_after_site(&mut self, site: &Site, asked: &[Asked]) -> Result<(), String> {
        if !self.request.check && with_git2::has_traces(site) {
            // Whoever is at work is waited for; where the lock cannot be had, `act` says so.
            if let Ok(_lock) = OurLock::take(&site.git_dir, self.deadline) {
                with_git2::clear_traces(site);
            }
        }
        let paths: Vec<&[u8]> = asked.iter().map(|(_, path)| path.as_slice()).collect();
        let folder = self.folder.clone();
        let folder = folder
            .strip_prefix(&site.top)
            .map(|path| path.as_os_str().as_bytes());
        let question = Question {
            site,
            paths: &paths,
            folder: folder.unwrap_or_default(),
        };
        let before = match judge(&question, &self.git) {
            Ok(before) => before,
            Err(why) => {
                for (at, path) in asked {
                    let path = crate::survey::place(&site.top, path);
                    self.without_git(*at, &path, Missing::Closed(why.clone()));
                }
                return Err(why);
            }
        };
        self.settle_all(asked, &before, None);
        let sparse = site.sparse(&self.git).map_err(|error| error.to_string())?;
        let Some(action) = choose(&question, &before, &sparse) else {
            return Ok(());
        };
        if matches!(action, Action::Disable) {
            // It is not this guard that brings those.
            for (at, missing) in asked.iter().map(|(at, _)| *at).zip(before.missing()) {
                if let Some(Missing::Sparse { .. }) = missing {
                    self.states[at] = Some(State::Missing(Missing::SkipWorktree));
                }
            }
        }
        let command = action.command(&site.top, &|| self.checks_arguments());
        if self.request.check || matches!(action, Action::Disable) {
            if before.is_incomplete() {
                self.suggest(command);
            }
            return Ok(());
        }
        let incomplete = before.is_incomplete();
        match self.act(&question, before) {
            Ok((after, brought)) => {
                self.settle_all(asked, &after, brought);
                Ok(())
            }
            Err(why) => {
                if incomplete {
                    self.suggest(command);
                }
                Err(why)
            }
        }
    }

    fn settle_all(&mut self, asked: &[Asked], now: &Judgement, brought: Option<Brought>) {
        let (by, files) = brought.unzip();
        let files = files.unwrap_or_default();
        let files = files.into_iter().chain(std::iter::repeat(None));
        for (((at, _), missing), files) in asked.iter().zip(now.missing()).zip(files) {
            let state = match (missing, by.zip(files)) {
                (Some(missing), _) => State::Missing(missing.clone()),
                (None, Some((by, files))) => State::Added { files, by },
                (None, None) => State::Present,
            };
            self.settle(*at, state);
        }
    }

    /// Adds what `question` is about, and tells who brought how many files of each path; nobody did
    /// if another process was faster.
    fn act(
        &self,
        question: &Question<'_>,
        seen: Judgement,
    ) -> Result<(Judgement, Option<Brought>), String> {
        let site = question.site;
        let lock = match OurLock::take(&site.git_dir, self.deadline) {
            Ok(lock) => Ok(lock),
            Err(LockError::Io(error)) => Err(Leave::NoLock(error)),
            Err(LockError::Busy(busy)) => return Err(busy.to_string()),
        };
        if lock.is_ok() {
            with_git2::clear_traces(site);
        }
        for name in ["index.lock", "info/sparse-checkout.lock"] {
            let file = site.git_dir.join(name);
            wait_for_git(&file, self.deadline).map_err(|busy| busy.to_string())?;
        }
        // Another guard may have done it while this one waited.
        let before = if seen.is_current(site) {
            seen
        } else {
            judge(question, &self.git)?
        };
        let sparse = site.sparse(&self.git).map_err(|error| error.to_string())?;
        let Some(action) = choose(question, &before, &sparse) else {
            return Ok((before, None));
        };
        free(&site.top, &before.hidden())?;
        let plan = match (&action, lock.as_ref()) {
            (Action::Cone(_), Err(_)) => Err(lock.err().unwrap_or(Leave::Preferred)),
            (Action::Cone(_), _) if self.request.prefer_git && self.git.git().is_ok() => {
                Err(Leave::Preferred)
            }
            (Action::Cone(addition), _) => plan(site, &before.survey, addition),
            (Action::Patterns { why, .. }, _) => Err(Leave::NotCone(why.clone())),
            (Action::Everything | Action::Disable, _) => {
                Err(Leave::NotCone("they include everything".to_owned()))
            }
        };
        let files = before.kept_back();
        match plan {
            Ok(plan) => {
                free(&site.top, &plan.wanted)?;
                with_git2::add(site, &plan, self.deadline).map_err(|error| error.to_string())?;
                Ok((before.relieved(), Some((By::Git2, files))))
            }
            Err(leave) => {
                self.leave_to_git(question, &action, &leave)?;
                Ok((judge(question, &self.git)?, Some((By::Git, files))))
            }
        }
    }

    /// Whether the git that a command is for refuses unusual names; today's do.
    fn checks_arguments(&self) -> bool {
        self.git.git().map_or(true, Git::checks_arguments)
    }

    fn leave_to_git(
        &self,
        question: &Question<'_>,
        action: &Action<'_>,
        leave: &Leave,
    ) -> Result<(), String> {
        let git = self.git.git().map_err(|no_git| {
            format!("libgit2 cannot add this as git does, because {leave}; and {no_git}")
        })?;
        let site = question.site;
        let partial = site.is_partial_clone(&self.git);
        if partial && !self.request.allow_fetch {
            let objects = match leave {
                Leave::Objects(objects) => *objects,
                _ => git
                    .objects_to_fetch(&site.top, question.paths)
                    .map_err(|failed| failed.to_string())?,
            };
            if objects > 0 {
                return Err(format!(
                    "this is a partial clone and {objects} objects have to be fetched, which was \
                     not allowed; --allow-fetch does so"
                ));
            }
        }
        let arguments = action.arguments(&|| self.checks_arguments());
        let arguments: Vec<_> = arguments
            .iter()
            .map(|word| std::ffi::OsStr::from_bytes(word))
            .collect();
        git.change(&site.top, &arguments, partial && self.request.allow_fetch)
            .map(drop)
            .map_err(|failed| failed.to_string())
    }
}

/// Refuses to write where something else is.
fn free(top: &Path, wanted: &[Entry]) -> Result<(), String> {
    in_the_way(top, wanted).map_or(Ok(()), |thing| {
        Err(format!(
            "{} is in the way: the checkout has something else there; move it away",
            thing.display()
        ))
    })
}
