//! How many events of a track are active at once.
//!
//! The depth of an event is how many events of its track, itself included, are active when it
//! starts. An event is active from its start until before its end; one that does not end after its
//! start counts only for itself. So the depth is a difference of two counts: of the starts that are
//! not later, and of the ends that are not later.

use super::chunks::Chunks;
use super::event::Event;
use super::sort::sort_nearly_sorted;

/// The times of a track's events, as far as counts, range and depth ask for them.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// Starts of events that end later.
    starts: Chunks<u64>,
    /// Their ends.
    ends: Chunks<u64>,
    /// Starts of events that do not end later.
    points: Chunks<u64>,
    /// How many of those end before their start, or have both times 0.
    odd: u64,
}

/// The same, each list sorted.
struct SortedTimes {
    starts: Vec<u64>,
    ends: Vec<u64>,
    points: Vec<u64>,
}

/// What the times of a track's events come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) count: u64,
    pub(crate) odd_times: u64,
    /// First start and last end. Events whose times are both 0 count only if there are no others.
    pub(crate) span: Option<(u64, u64)>,
    /// The greatest depth.
    pub(crate) depth: u32,
}

impl Times {
    pub(crate) fn add(&mut self, start: u64, end: u64) {
        if end > start {
            self.starts.push(start);
            self.ends.push(end);
        } else {
            self.points.push(start);
            self.odd += u64::from(end < start || start == 0);
        }
    }

    /// How many events.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() + self.points.len()
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.starts.append(other.starts);
        self.ends.append(other.ends);
        self.points.append(other.points);
        self.odd += other.odd;
    }

    pub(crate) fn extent(self) -> Extent {
        let sorted = |times: Chunks<u64>| {
            let mut times = times.into_vec();
            sort_nearly_sorted(&mut times, u64::cmp);
            times
        };
        let times = SortedTimes {
            starts: sorted(self.starts),
            ends: sorted(self.ends),
            points: sorted(self.points),
        };
        Extent {
            count: (times.starts.len() + times.points.len()) as u64,
            odd_times: self.odd,
            span: times.span(),
            depth: times.depth(),
        }
    }
}

impl SortedTimes {
    fn span(&self) -> Option<(u64, u64)> {
        // A point at 0 ended at 0 too.
        let timed = self.points.partition_point(|&point| point == 0);
        let points = &self.points[timed..];
        let first = self.starts.first().into_iter().chain(points.first()).min();
        let last = self.ends.last().into_iter().chain(points.last()).max();
        let span = first.copied().zip(last.copied());
        span.or((timed > 0).then_some((0, 0)))
    }

    fn depth(&self) -> u32 {
        let mut deepest = 0;
        let mut ended = 0;
        for (started, &start) in self.starts.iter().enumerate() {
            while self.ends.get(ended).is_some_and(|&end| end <= start) {
                ended += 1;
            }
            // Of events that start together, the last sees them all.
            deepest = deepest.max(started + 1 - ended);
        }
        let (mut started, mut ended) = (0, 0);
        for &point in &self.points {
            while self
                .starts
                .get(started)
                .is_some_and(|&start| start <= point)
            {
                started += 1;
            }
            while self.ends.get(ended).is_some_and(|&end| end <= point) {
                ended += 1;
            }
            deepest = deepest.max(started - ended + 1);
        }
        u32::try_from(deepest).unwrap_or(u32::MAX)
    }
}

/// Sets the depth of each event; they are ordered by start and are all of their track.
pub(crate) fn set_depths(events: &mut [Event<'_>]) {
    let mut ends: Vec<u64> = (events.iter())
        .filter(|event| event.end > event.start)
        .map(|event| event.end)
        .collect();
    sort_nearly_sorted(&mut ends, u64::cmp);
    let (mut started, mut ended) = (0_usize, 0);
    for together in events.chunk_by_mut(|a, b| a.start == b.start) {
        let start = together[0].start;
        started += together.iter().filter(|event| event.end > start).count();
        while ends.get(ended).is_some_and(|&end| end <= start) {
            ended += 1;
        }
        let active = u32::try_from(started - ended).unwrap_or(u32::MAX);
        for event in together {
            event.depth = active.saturating_add(u32::from(event.end <= start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::event::EventKind;
    use crate::reader::names::Name;
    use proptest::prelude::*;

    fn events(times: &[(u64, u64)]) -> Vec<Event<'static>> {
        let mut events: Vec<_> = (0..)
            .zip(times)
            .map(|(id, &(start, end))| Event {
                id,
                start,
                end,
                name: Name::empty(),
                kind: EventKind::Region,
                depth: 0,
            })
            .collect();
        events.sort_by_key(|event| event.start);
        events
    }

    /// The definition, counted one by one.
    fn counted(times: &[(u64, u64)], this: usize) -> u32 {
        let start = times[this].0;
        let others = times
            .iter()
            .enumerate()
            .filter(|&(i, &(s, e))| i != this && s <= start && start < e);
        u32::try_from(others.count()).unwrap() + 1
    }

    proptest! {
        #[test]
        fn depth_is_what_its_definition_counts(
            times in proptest::collection::vec((0_u64..40, 0_u64..40), 0..60)
        ) {
            let mut events = events(&times);
            set_depths(&mut events);
            for event in &events {
                let this = usize::try_from(event.id).unwrap();
                prop_assert_eq!(event.depth, counted(&times, this), "{:?}", event);
            }
            let mut all = Times::default();
            for &(start, end) in &times {
                all.add(start, end);
            }
            let deepest = events.iter().map(|event| event.depth).max().unwrap_or(0);
            prop_assert_eq!(all.extent().depth, deepest);
        }
    }

    #[test]
    fn depth_examples() {
        type Case<'a> = (&'a [(u64, u64)], &'a [u32]);
        let table: &[Case<'_>] = &[
            (&[(0, 100), (10, 20), (20, 30)], &[1, 2, 2]), // an end at a start is over
            (&[(5, 10), (5, 8)], &[2, 2]),                 // starts together count each other
            (&[(5, 5), (5, 5), (0, 0)], &[1, 1, 1]),       // no length: only for itself
            (&[(0, u64::MAX), (9, 3)], &[1, 2]),           // ends before it starts
        ];
        for (times, depths) in table {
            let mut events = events(times);
            set_depths(&mut events);
            for event in events {
                let this = usize::try_from(event.id).unwrap();
                assert_eq!(event.depth, depths[this], "{times:?} {event:?}");
            }
        }
    }
}
