//! The reader: opening a file, its tracks, their events and samples.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::build::Share;
use super::event::{Event, Sample, TrackEvents, Window, samples_within};
use super::info::{GuidIndex, Info, RowId};
use super::lane::Lane;
use super::load::{self, Group};
use super::names::Name;
use super::options::{OpenOptions, Stage};
use super::pool::{Pool, Watch, lock};
use super::track::{Track, TrackId};
use super::{build, counters};
use crate::catalog::CatalogError;
use crate::probe::{AcceptedVersions, Status, probe};
use crate::{Catalog, Error, GuidTables, Result, Source};

/// An open rocpd file. It may be shared between threads.
pub struct Reader {
    pub(super) pool: Pool,
    pub(super) guids: Vec<GuidTables>,
    warnings: Vec<String>,
    /// Goes before `info`, which owns what its names point to.
    events: Vec<OnceLock<TrackEvents>>,
    samples: Vec<Box<[Sample]>>,
    tracks: Vec<Track>,
    lanes: FxHashMap<(GuidIndex, Lane), TrackId>,
    pub(super) shares: Vec<Share>,
    /// Held while a group is loaded, so that it is loaded once.
    loading: BTreeMap<(GuidIndex, Group), Mutex<()>>,
    allocation_names: BTreeMap<String, Name<'static>>,
    pub(super) info: Info,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// As [`Reader::open_with`].
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, OpenOptions::new())
    }

    /// Opens a file as the options say.
    ///
    /// A newer 3.x than those known is read as far as it is known, and [`Reader::warnings`] says
    /// so.
    ///
    /// # Errors
    /// [`Error::Rejected`] with the probe's reason, for each guid; those of opening and reading a
    /// file; [`Error::Damaged`]; [`Error::Cancelled`].
    pub fn open_with(path: &Path, options: OpenOptions<'_>) -> Result<Self> {
        let watch = Watch::new(path, &options.cancel.0, options.progress);
        watch.begin(Stage::Catalog, 1)?;
        let threads = options.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        admit(path)?;
        let pool = Pool::new(Source::open(path)?, threads);
        let (catalog, warnings) = check(path, &pool)?;
        let guids = catalog.guids;
        watch.step()?;

        let loaded = Info::load(&pool, &guids, &watch)?;
        let info = loaded.info;
        let values = counters::read(&pool, &guids, &watch)?;
        let needed: Vec<_> = values.iter().map(counters::Values::needed).collect();
        let found = build::find_lanes(&pool, &guids, &needed, &watch)?;
        pool.source().verify_unchanged()?;

        let mut all: Vec<(Track, Lane, Box<[Sample]>)> = (found.lanes.into_iter())
            .map(|(guid, lane, summary)| {
                let track = Track::new(&info, guid, lane, &summary);
                (track, lane, Box::default())
            })
            .collect();
        for (guid, (values, times)) in values.into_iter().zip(&found.event_times).enumerate() {
            for (guid, lane, summary, samples) in values.timed(guid, times) {
                all.push((Track::new(&info, guid, lane, &summary), lane, samples));
            }
        }
        all.sort_by_cached_key(|(track, _, _)| track.order());

        let mut reader = Self {
            pool,
            loading: (0..guids.len())
                .flat_map(|guid| Group::ALL.map(|group| ((guid, group), Mutex::default())))
                .collect(),
            guids,
            warnings,
            events: Vec::new(),
            samples: Vec::new(),
            tracks: Vec::new(),
            lanes: FxHashMap::default(),
            shares: found.shares,
            allocation_names: loaded.allocation_names,
            info,
        };
        for (number, (mut track, lane, samples)) in (0..).zip(all) {
            track.id = TrackId(number);
            reader.lanes.insert((track.guid, lane), track.id);
            reader.tracks.push(track);
            reader.samples.push(samples);
            reader.events.push(OnceLock::new());
        }
        Ok(reader)
    }

    /// The guids of the file, in the order of their metadata tables.
    #[must_use]
    pub fn guids(&self) -> &[GuidTables] {
        &self.guids
    }

    /// What a person should know of the file although it can be read.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The info lists.
    #[must_use]
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// All tracks, ordered by guid, node, kind and ids.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// A track by its number.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is none.
    pub fn track(&self, id: TrackId) -> Result<&Track> {
        let place = usize::try_from(id.0).ok();
        place
            .and_then(|place| self.tracks.get(place))
            .ok_or_else(|| Error::Argument {
                found: format!(
                    "no track {}: the file has {} tracks, from 0",
                    id.0,
                    self.tracks.len()
                ),
            })
    }

    /// The first start and the last end of all tracks, in ns.
    #[must_use]
    pub fn time_range(&self) -> Option<(u64, u64)> {
        range(self.tracks.iter())
    }

    /// When a process started and ended, in ns: as the events of its tracks tell; only if it has
    /// none, as its row tells, if that has both times. (A row's times may be NULL, 0, or of
    /// another clock.)
    #[must_use]
    pub fn process_range(&self, guid: GuidIndex, process: RowId) -> Option<(u64, u64)> {
        let tracks = self.tracks.iter();
        let events = range(tracks.filter(|t| t.guid == guid && t.process_row == Some(process)));
        events.or_else(|| {
            let row = self.info.process(guid, Some(process))?;
            row.start
                .zip(row.end)
                .filter(|&(start, end)| start != 0 && end >= start)
        })
    }

    /// Whether a track's events, or a counter's values, are in memory.
    #[must_use]
    pub fn is_loaded(&self, track: &Track) -> bool {
        let place = track.id.0 as usize;
        Group::of(track.kind).is_none() || self.events[place].get().is_some()
    }

    /// The events of a track, all of them, ordered by start, then from the latest end, then by
    /// kind and id. A counter has none. The first call loads them, with all of their tables.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown track, [`Error::Changed`] if the file was written since
    /// it was opened, [`Error::Sqlite`], [`Error::Damaged`].
    pub fn events(&self, id: TrackId) -> Result<&[Event<'_>]> {
        Ok(self.loaded(id)?.map_or(&[], |loaded| &*loaded.events))
    }

    /// The events of a track that overlap a window, in the order of [`Reader::events`], with the
    /// depth that they have in the whole track.
    ///
    /// # Errors
    /// As [`Reader::events`].
    pub fn events_within(&self, id: TrackId, window: Window) -> Result<Vec<Event<'_>>> {
        Ok(self
            .loaded(id)?
            .map_or_else(Vec::new, |loaded| loaded.within(window)))
    }

    /// The values of a counter, all of them, ordered by time, then by row. Other tracks have none.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown track.
    pub fn samples(&self, id: TrackId) -> Result<&[Sample]> {
        let track = self.track(id)?;
        Ok(&self.samples[track.id.0 as usize])
    }

    /// The values of a counter in a window.
    ///
    /// # Errors
    /// As [`Reader::samples`].
    pub fn samples_within(&self, id: TrackId, window: Window) -> Result<&[Sample]> {
        Ok(samples_within(self.samples(id)?, window))
    }

    /// The track of a lane.
    pub(super) fn track_of(&self, guid: GuidIndex, lane: Lane) -> Option<TrackId> {
        self.lanes.get(&(guid, lane)).copied()
    }

    fn loaded(&self, id: TrackId) -> Result<Option<&TrackEvents>> {
        let track = self.track(id)?;
        let Some(group) = Group::of(track.kind) else {
            return Ok(None);
        };
        let place = &self.events[track.id.0 as usize];
        if place.get().is_none() {
            self.load(track.guid, group)?;
        }
        Ok(place.get())
    }

    fn load(&self, guid: GuidIndex, group: Group) -> Result<()> {
        let _loading = self.loading.get(&(guid, group)).map(lock);
        let mut tracks = self.tracks.iter();
        let missing = |track: &Track| {
            track.guid == guid && Group::of(track.kind) == Some(group) && !self.is_loaded(track)
        };
        if !tracks.any(missing) {
            return Ok(());
        }
        for (id, events) in load::load(&self.load_source(), guid, group, &self.watch())? {
            // Only the holder of the group's lock sets it, so it is never set twice.
            let _ = self.events[id.0 as usize].set(events);
        }
        Ok(())
    }
}

impl Reader {
    /// A watch over work that nobody cancels.
    pub(super) fn watch(&self) -> Watch<'_> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Watch::new(self.pool.source().path(), &NEVER, None)
    }

    pub(super) fn load_source(&self) -> load::Source<'_> {
        load::Source {
            pool: &self.pool,
            guids: &self.guids,
            info: &self.info,
            allocation_names: &self.allocation_names,
            lanes: &self.lanes,
            shares: &self.shares,
        }
    }

    /// The events of a track if they are in memory.
    pub(super) fn in_memory(&self, track: &Track) -> Option<&[Event<'_>]> {
        let loaded = self.events[track.id.0 as usize].get()?;
        Some(&loaded.events)
    }
}

fn range<'a>(tracks: impl Iterator<Item = &'a Track>) -> Option<(u64, u64)> {
    let spans = tracks.filter_map(|track| track.first.zip(track.last));
    let timed = |&(first, last): &(u64, u64)| first != 0 || last != 0;
    let timed = spans.filter(timed);
    timed.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn reject(path: &Path, status: Status, reason: String) -> Error {
    Error::Rejected {
        path: path.into(),
        status,
        reason,
    }
}

/// Refuses what the probe refuses, except a file for its several guids.
fn admit(path: &Path) -> Result<()> {
    let finding = probe(path);
    match finding.status {
        Status::Supported | Status::MetadataAmbiguous => Ok(()),
        status => Err(reject(path, status, finding.message)),
    }
}

/// Reads the catalog and refuses it if the version of any guid is refused.
fn check(path: &Path, pool: &Pool) -> Result<(Catalog, Vec<String>)> {
    let catalog = Catalog::read(&*pool.take()?, "main").map_err(|error| match error {
        CatalogError::Sqlite(source) => Error::sqlite(path)(source),
        CatalogError::Guid(error) => error,
    })?;
    let accepted = AcceptedVersions::ROCPD_3;
    let mut warnings = Vec::new();
    for tables in &catalog.guids {
        let (shown, guid) = (path.display(), &tables.guid);
        let version = *tables.version.as_ref().map_err(|error| {
            reject(
                path,
                Status::MetadataMalformed,
                format!("{shown}: guid {guid}: {error}"),
            )
        })?;
        if !accepted.accepts(version) {
            let reason = format!("{shown}: guid {guid}: schema {version}, which is not read here");
            return Err(reject(path, Status::UnsupportedSchemaVersion, reason));
        }
        if accepted.is_newer(version) {
            warnings.push(format!(
                "{shown}: guid {guid}: schema {version} is newer than those known; only what is \
                 known is read"
            ));
        }
    }
    Ok((catalog, warnings))
}
