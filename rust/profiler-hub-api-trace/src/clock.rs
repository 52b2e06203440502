//! The clock of the records: ticks, as cheap as the processor has them, and their time in ns on
//! `CLOCK_BOOTTIME`.
//!
//! Asking the system for the time is most of what a recorded call would cost. Where the kernel
//! itself keeps time by the processor's time stamp counter (it has checked then that the counter is
//! steady and the same on all processors), threads read that, and the writer turns ticks into ns by
//! a [`Timeline`]. Elsewhere a tick is a nanosecond of `CLOCK_BOOTTIME`.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// `CLOCK_BOOTTIME`, ns. Any thread.
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the answer; the clock has been there since Linux 2.6.39.
    unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time) };
    // Neither is ever negative on this clock.
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

static SOURCE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const COUNTER: u8 = 1;
const SYSTEM: u8 = 2;

/// The time now, in ticks. Any thread.
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    if SOURCE.load(Ordering::Relaxed) == COUNTER {
        return counter();
    }
    other_ticks()
}

#[cold]
fn other_ticks() -> u64 {
    if SOURCE.load(Ordering::Relaxed) == UNKNOWN {
        let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        let by_counter = cfg!(target_arch = "x86_64")
            && std::fs::read_to_string(path).is_ok_and(|name| name.trim() == "tsc");
        // Threads that find out at the same time find the same.
        SOURCE.store(if by_counter { COUNTER } else { SYSTEM }, Ordering::Relaxed);
        return ticks();
    }
    now()
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn counter() -> u64 {
    // SAFETY: every processor of this architecture has it, and Linux lets programs use it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// A moment, in ticks and in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    ticks: u64,
    ns: u64,
}

impl Moment {
    /// This moment. Takes less than a microsecond.
    pub(crate) fn now() -> Self {
        // The closest of a few pairs: the thread may be interrupted between the two.
        (0..4)
            .map(|_| {
                let before = ticks();
                let ns = now();
                let width = ticks().saturating_sub(before);
                (
                    width,
                    Self {
                        ticks: before + width / 2,
                        ns,
                    },
                )
            })
            .min_by_key(|(width, _)| *width)
            .map_or(Self { ticks: 0, ns: 0 }, |(_, moment)| moment)
    }
}

/// From a moment on: how many ns a tick is, times 2^32.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: Moment,
    rate: u64,
}

impl Segment {
    fn ns(&self, ticks: u64) -> u64 {
        let scale = |ticks: u64| {
            let ns = (u128::from(ticks) * u128::from(self.rate)) >> 32;
            u64::try_from(ns).unwrap_or(u64::MAX)
        };
        match ticks.checked_sub(self.from.ticks) {
            Some(after) => self.from.ns.saturating_add(scale(after)),
            None => self.from.ns.saturating_sub(scale(self.from.ticks - ticks)),
        }
    }
}

/// Turns ticks into ns: a line of segments without gaps that never runs backwards. Each segment is
/// fixed when it begins, which is later than every tick that was turned before it, so that a tick
/// has one time, whenever it is asked for. It follows the system's clock, whose own rate changes
/// a little, by the rate of its segments; only where the system's clock jumped (the machine slept)
/// it jumps.
#[derive(Debug)]
pub(crate) struct Timeline {
    first: Moment,
    segments: Vec<Segment>,
}

/// The shortest time by which the length of a tick is measured.
const LEAST: Duration = Duration::from_millis(5);
/// A difference that is no drift: the system's clock has jumped.
const JUMP: u64 = 1_000_000;

impl Timeline {
    /// A timeline that begins at this moment; its rate is that of the time since `first`.
    fn between(first: Moment, second: Moment) -> Self {
        let segment = Segment {
            from: first,
            rate: rate(first, second),
        };
        Self {
            first,
            segments: vec![segment],
        }
    }

    /// A timeline from `first` on. How long a tick is shows in the time that has passed since: if
    /// that is less than 5 ms, it waits as long.
    pub(crate) fn since(first: Moment) -> Self {
        let passed = Duration::from_nanos(now().saturating_sub(first.ns));
        if SOURCE.load(Ordering::Relaxed) == COUNTER
            && let Some(rest) = LEAST.checked_sub(passed)
        {
            std::thread::sleep(rest);
        }
        Self::between(first, Moment::now())
    }

    /// Follows the system's clock: to be called a few times a second.
    pub(crate) fn follow(&mut self) {
        if SOURCE.load(Ordering::Relaxed) == COUNTER {
            self.follow_to(Moment::now());
        }
    }

    fn follow_to(&mut self, now: Moment) {
        let Some(last) = self.segments.last() else {
            return;
        };
        let passed = now.ticks.saturating_sub(last.from.ticks);
        if passed == 0 {
            return;
        }
        let shown = last.ns(now.ticks);
        if now.ns.abs_diff(shown) > JUMP {
            // Forwards only: backwards would give two moments the same time.
            let from = Moment {
                ticks: now.ticks,
                ns: now.ns.max(shown),
            };
            let rate = last.rate;
            self.first = now;
            self.segments.push(Segment { from, rate });
            return;
        }
        // The long-term rate, and enough more or less to be right again after as long a time.
        let rate = rate(self.first, now);
        let ahead = Moment {
            ticks: passed,
            ns: now.ns.abs_diff(shown),
        };
        let correction = self::rate(Moment { ticks: 0, ns: 0 }, ahead).min(rate / 1000);
        let rate = if shown > now.ns {
            rate - correction
        } else {
            rate + correction
        };
        let from = Moment {
            ticks: now.ticks,
            ns: shown,
        };
        self.segments.push(Segment { from, rate });
    }

    /// The time of a tick, ns on `CLOCK_BOOTTIME`.
    pub(crate) fn ns(&self, ticks: u64) -> u64 {
        let after = self
            .segments
            .partition_point(|segment| segment.from.ticks <= ticks);
        self.segments
            .get(after.saturating_sub(1))
            .map_or(ticks, |segment| segment.ns(ticks))
    }
}

/// ns of a tick, times 2^32.
fn rate(from: Moment, to: Moment) -> u64 {
    let ticks = u128::from(to.ticks.saturating_sub(from.ticks));
    let ns = u128::from(to.ns.saturating_sub(from.ns));
    // Without a time between them: a tick is a nanosecond.
    let rate = (ns << 32).checked_div(ticks).unwrap_or(1 << 32);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system's clock of a test: 2.5 ticks a ns, with a drift in parts per million.
    fn moment(ticks: u64, drift: u64) -> Moment {
        Moment {
            ticks,
            ns: 1_000_000_000_000 + ticks * 2 / 5 + ticks * drift / 2_500_000,
        }
    }

    #[test]
    fn the_timeline_follows_a_clock_that_drifts_and_never_runs_backwards() {
        const SECOND: u64 = 2_500_000_000;
        for drift in [0, 1, 50] {
            let mut timeline = Timeline::between(moment(0, 0), moment(SECOND / 200, 0));
            let mut last = 0;
            for quarter in 1..400 {
                let now = moment(quarter * SECOND / 4, drift);
                timeline.follow_to(now);
                let next = moment((quarter + 1) * SECOND / 4 - 1, drift);
                for tick in [now.ticks - 1, now.ticks, now.ticks + 1, next.ticks] {
                    let ns = timeline.ns(tick);
                    assert!(ns >= last, "backwards at {tick}");
                    last = ns;
                }
                if quarter > 20 {
                    let off = timeline.ns(next.ticks).abs_diff(next.ns);
                    assert!(
                        off < 300,
                        "{off} ns off with a drift of {drift} in quarter {quarter}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_tick_has_one_time_whenever_it_is_asked_for() {
        let mut timeline = Timeline::between(moment(1000, 0), moment(2_000_000, 0));
        let ticks = [0, 999, 1000, 500_000, 2_000_000, 3_000_000];
        let before = ticks.map(|tick| timeline.ns(tick));
        assert!(before.is_sorted());
        timeline.follow_to(moment(4_000_000, 300));
        timeline.follow_to(moment(5_000_000, 0));
        assert_eq!(ticks.map(|tick| timeline.ns(tick)), before);
    }

    #[test]
    fn a_jump_of_the_clock_is_a_jump_of_the_timeline() {
        let mut timeline = Timeline::between(moment(0, 0), moment(1_000_000, 0));
        let slept = Moment {
            ns: moment(2_000_000, 0).ns + 3_600_000_000_000,
            ticks: 2_000_000,
        };
        timeline.follow_to(slept);
        assert_eq!(timeline.ns(2_000_000), slept.ns);
        assert!(timeline.ns(1_999_999) < slept.ns - 3_000_000_000_000);
    }

    #[test]
    fn the_timeline_is_the_systems_clock() {
        let mut timeline = Timeline::since(Moment::now());
        for _ in 0..100 {
            timeline.follow();
            let before = now();
            let shown = timeline.ns(ticks());
            let after = now();
            assert!(
                before <= shown + 100_000 && shown <= after + 100_000,
                "{before} {shown} {after}"
            );
        }
    }
}
