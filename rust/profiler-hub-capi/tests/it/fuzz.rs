//! Mutated databases: no panic, no hang, no memory without bound.
//!
//! A short run with fixed seeds is part of every test run. `FUZZ_SECONDS=600 cargo test --release
//! -p profiler-hub-capi fuzz` goes on with new ones; a failure names its seed, and `FUZZ_SEED=…`
//! runs that one alone. `tests/fuzz.sh` is the same led by coverage.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::exercise::exercise;

/// Numbers that are the same on every machine (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        usize::try_from(self.next() % limit).unwrap()
    }
}

const PAGE: usize = 4096;

/// Damages a file as a bad disk, a broken copy or a careless tool would.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    for _ in 0..=numbers.below(12) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        let pages = length / PAGE;
        // The schema and the roots of tables are at the start: half of the damage goes there.
        let reach = if numbers.below(2) == 0 {
            length.min(6 * PAGE)
        } else {
            length
        };
        let at = numbers.below(reach);
        match numbers.below(10) {
            0 | 1 => bytes[at] ^= 1 << numbers.below(8),
            2 => bytes[at] = u8::try_from(numbers.below(256)).unwrap(),
            3 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][numbers.below(5)],
            4 => {
                // A number of four bytes: a page, a size, a count.
                let number = u32::try_from(numbers.below(2 * pages + 2))
                    .unwrap()
                    .to_be_bytes();
                let end = (at + 4).min(length);
                bytes[at..end].copy_from_slice(&number[..end - at]);
            }
            5 if pages > 1 => {
                // One page in another's place.
                let (from, to) = (numbers.below(pages) * PAGE, numbers.below(pages) * PAGE);
                bytes.copy_within(from..from + PAGE, to);
            }
            6 if pages > 1 && other.len() >= PAGE => {
                // A page of another file.
                let from = numbers.below(other.len() / PAGE) * PAGE;
                let to = numbers.below(pages) * PAGE;
                bytes[to..to + PAGE].copy_from_slice(&other[from..from + PAGE]);
            }
            7 if numbers.below(4) == 0 => bytes.truncate(at),
            8 => {
                let end = (at + numbers.below(64)).min(length);
                bytes[at..end].fill(0);
            }
            9 => {
                // The header of a page: its kind, its cells.
                let header = at / PAGE * PAGE + if at < PAGE { 100 } else { 0 };
                let place = (header + numbers.below(12)).min(length - 1);
                bytes[place] = u8::try_from(numbers.below(256)).unwrap();
            }
            _ => {}
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let files: Vec<PathBuf> = [
        "trace/trace.db",
        "probe/version-3.0.1.db",
        "schema-3.0.3/out/pmc_perf_0/node01",
        "markers/out/pmc_perf_0/node01",
    ]
    .iter()
    .map(|name| golden.join(name))
    .flat_map(|path| match path.is_dir() {
        true => std::fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect(),
        false => vec![path],
    })
    .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
    .collect();
    assert!(files.len() >= 4);
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Bytes of memory in use.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * PAGE
}

const MOST_MEMORY: usize = 1 << 30;
const LONGEST: Duration = Duration::from_secs(60);

#[test]
fn mutated_databases_do_no_harm() {
    let seeds = seeds();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seconds: Option<u64> = number("FUZZ_SECONDS");
    let only: Option<u64> = number("FUZZ_SEED");
    let begin = Instant::now();
    // What is being tried, and since when, in ms; a hang ends the process and says which.
    static SEED: AtomicU64 = AtomicU64::new(0);
    static SINCE: AtomicU64 = AtomicU64::new(0);
    let now = move || u64::try_from(begin.elapsed().as_millis()).unwrap();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let took = now().saturating_sub(SINCE.load(Ordering::Relaxed));
            if Duration::from_millis(took) > LONGEST && SINCE.load(Ordering::Relaxed) > 0 {
                eprintln!("seed {} hangs", SEED.load(Ordering::Relaxed));
                std::process::abort();
            }
        }
    });
    let (mut tried, mut opened) = (0_u64, 0_u64);
    for seed in only.unwrap_or(0).. {
        let enough = match (only, seconds) {
            (Some(only), _) => seed > only,
            (None, Some(seconds)) => begin.elapsed() >= Duration::from_secs(seconds),
            (None, None) => tried >= 150,
        };
        if enough {
            break;
        }
        SEED.store(seed, Ordering::Relaxed);
        SINCE.store(now().max(1), Ordering::Relaxed);
        let mut numbers = Numbers(seed);
        let mut bytes = seeds[numbers.below(seeds.len())].clone();
        let other = numbers.below(seeds.len());
        mutate(&mut bytes, &seeds[other], &mut numbers);
        let result = std::panic::catch_unwind(|| exercise(&bytes));
        SINCE.store(0, Ordering::Relaxed);
        assert!(result.is_ok(), "seed {seed}: {:?}", result.err());
        assert!(
            resident() < MOST_MEMORY,
            "seed {seed}: {} bytes",
            resident()
        );
        opened += u64::from(result.unwrap_or(false));
        tried += 1;
    }
    println!("{tried} mutated files, {opened} of them opened");
    assert!(
        only.is_some() || opened * 20 > tried,
        "the mutations are too coarse to reach much"
    );
}
