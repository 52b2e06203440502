//! What took the time: events by name, with their count and durations.

use rustc_hash::FxHashMap;

use super::event::{Event, Window};
use super::info::GuidIndex;
use super::load::{EventNames, read_events};
use super::open::Reader;
use super::scan;
use super::table::Table;
use super::track::{TrackId, TrackKind};
use crate::{Error, Result};

/// The events of one name. Durations are in ns; an event that does not end after its start takes
/// 0.
#[derive(Clone, Debug, PartialEq)]
pub struct NameSummary {
    /// The name.
    pub name: String,
    /// How many events have it.
    pub count: u64,
    /// How long they take together.
    pub total: u64,
    /// How long they take on average.
    pub mean: f64,
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
    /// The median: the least duration that half of the events do not exceed.
    pub p50: u64,
    /// The least duration that 95 % of the events do not exceed.
    pub p95: u64,
}

/// Durations by the address of the name: the same name is mostly the same pointer.
type Durations = FxHashMap<usize, (String, Vec<u64>)>;

fn add(durations: &mut Durations, event: &Event<'_>) {
    let entry = durations.entry(event.name.as_ptr().addr());
    let (_, list) = entry.or_insert_with(|| (event.name.as_str().to_owned(), Vec::new()));
    list.push(event.duration());
}

impl Reader {
    /// Sums up the events of a table by name, the longest total first, then by name.
    ///
    /// Only events that overlap the window count, and only those of the tracks, if any are given;
    /// each event counts whole, and once.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown track, or for [`Table::PmcEvent`], which has no
    /// durations; those of reading the file.
    pub fn summary(
        &self,
        table: Table,
        window: Window,
        tracks: &[TrackId],
    ) -> Result<Vec<NameSummary>> {
        let Some(laned) = table.laned() else {
            let found = "values of counters have no durations to sum up".to_owned();
            return Err(Error::Argument { found });
        };
        for &track in tracks {
            self.track(track)?;
        }
        let mut by_text: FxHashMap<String, Vec<u64>> = FxHashMap::default();
        for guid in 0..self.guids.len() {
            let parts = match self.durations_in_memory(guid, table, window, tracks) {
                Some(durations) => vec![durations],
                None => self.scan_durations(guid, laned, window, tracks)?,
            };
            for (text, mut list) in parts.into_iter().flat_map(Durations::into_values) {
                by_text.entry(text).or_default().append(&mut list);
            }
        }
        let mut summaries: Vec<_> = by_text
            .into_iter()
            .map(|(name, list)| sum_up(name, list))
            .collect();
        summaries.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
        Ok(summaries)
    }

    /// The kernels that took the most time, the first `most` of them.
    ///
    /// # Errors
    /// As [`Reader::summary`].
    pub fn top_kernels(&self, most: usize) -> Result<Vec<NameSummary>> {
        let mut summaries = self.summary(Table::KernelDispatch, Window::ALL, &[])?;
        summaries.truncate(most);
        Ok(summaries)
    }

    /// The durations, if every track of the table is in memory and no stream is asked for.
    fn durations_in_memory(
        &self,
        guid: GuidIndex,
        table: Table,
        window: Window,
        tracks: &[TrackId],
    ) -> Option<Durations> {
        let kind = table.laned()?.kind;
        let asks_stream = (tracks.iter()).any(|&id| {
            self.track(id)
                .is_ok_and(|track| track.kind == TrackKind::Stream)
        });
        if asks_stream {
            return None;
        }
        let mut durations = Durations::default();
        for track in self
            .tracks()
            .iter()
            .filter(|t| t.guid == guid && t.kind == kind)
        {
            if !self.is_loaded(track) {
                return None;
            }
            if tracks.is_empty() || tracks.contains(&track.id) {
                for event in self.in_memory(track)? {
                    if window.overlaps(event.start, event.end) {
                        add(&mut durations, event);
                    }
                }
            }
        }
        Some(durations)
    }

    fn scan_durations(
        &self,
        guid: GuidIndex,
        laned: super::lane::Laned,
        window: Window,
        tracks: &[TrackId],
    ) -> Result<Vec<Durations>> {
        let Some(table) = self.guids[guid].table(laned.base) else {
            return Ok(Vec::new());
        };
        let source = self.load_source();
        let names = EventNames::new(&source, guid);
        let watch = self.watch();
        let ranges = scan::ranges(&self.pool, guid, table, laned)?;
        self.pool.spread(&ranges, &watch, |connection, range| {
            let mut durations = Durations::default();
            read_events(
                &source,
                connection,
                &names,
                range,
                &watch,
                |lane, stream, event| {
                    let is_wanted = |lane| {
                        self.track_of(guid, lane)
                            .is_some_and(|track| tracks.contains(&track))
                    };
                    let wanted =
                        tracks.is_empty() || is_wanted(lane) || stream.is_some_and(is_wanted);
                    if wanted && window.overlaps(event.start, event.end) {
                        add(&mut durations, &event);
                    }
                },
            )?;
            // Pointers mean the same in each range: the names are the reader's.
            Ok(durations)
        })
    }
}

fn sum_up(name: String, mut durations: Vec<u64>) -> NameSummary {
    durations.sort_unstable();
    let count = durations.len();
    let total: u128 = durations.iter().map(|&duration| u128::from(duration)).sum();
    // The nearest rank: the least value that so many percent do not exceed.
    let percentile = |percent: usize| {
        let rank = (count * percent).div_ceil(100).max(1);
        durations.get(rank - 1).copied().unwrap_or(0)
    };
    #[expect(clippy::cast_precision_loss, reason = "a mean is a rounded number")]
    let mean = if count == 0 {
        0.0
    } else {
        total as f64 / count as f64
    };
    NameSummary {
        name,
        count: count as u64,
        total: u64::try_from(total).unwrap_or(u64::MAX),
        mean,
        min: percentile(0),
        max: percentile(100),
        p50: percentile(50),
        p95: percentile(95),
    }
}
