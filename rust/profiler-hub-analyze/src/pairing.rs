//! Which process of which native guid is which process of which SDK guid.
//!
//! A process is (machine id, OS pid). Only where the machine ids of the two sides agree for none of
//! a pass's processes does the pid alone decide.

use std::collections::HashMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Result;
use crate::error::reading;
use crate::inventory::{FileFacts, GuidFacts, Kind, MachineId, integer};
use crate::report::{AmbiguousProcess, UnpairedProcess};

/// A guid of a pass: its file and its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) guid: usize,
}

impl At {
    pub(crate) fn of<'a>(&self, files: &'a [FileFacts]) -> &'a GuidFacts {
        &files[self.file].guids[self.guid]
    }
}

/// A process of an SDK guid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SdkProcess {
    pub(crate) at: At,
    /// The row of `rocpd_info_process`.
    pub(crate) row: i64,
    start: Option<i64>,
}

/// A process of a native guid that has a counterpart.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Its counterparts; more than one only if something is wrong with the run.
    pub(crate) candidates: Vec<SdkProcess>,
    /// Another native file claims the same process, and nothing tells the two apart.
    pub(crate) contested: bool,
}

/// A native guid and where its processes are found on the SDK's side.
#[derive(Debug)]
pub(crate) struct Native {
    pub(crate) at: At,
    pub(crate) slots: Vec<Slot>,
    /// Row of `rocpd_info_process` to slot.
    pub(crate) slot_of_row: FxHashMap<i64, usize>,
    /// OS pid and machine to slot, for events that carry the OS pid themselves.
    pub(crate) slot_of_pid: HashMap<(i64, MachineId), usize>,
    /// Whether some PMC names a process that is not there, so that samples' tracks decide.
    pub(crate) needs_tracks: bool,
}

/// How the files of a pass belong together.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    pub(crate) natives: Vec<Native>,
    pub(crate) by_pid_alone: bool,
    pub(crate) unpaired: Vec<UnpairedProcess>,
    pub(crate) ambiguous: Vec<AmbiguousProcess>,
}

/// A process of a native guid: the identity that is looked for on the SDK's side.
#[derive(Clone, Debug)]
struct Claim {
    native: usize,
    /// The row of `rocpd_info_process`; nothing where only events name the process.
    row: Option<i64>,
    machine: MachineId,
    pid: i64,
    start: Option<i64>,
    /// Whether values refer to it, not only a row of `rocpd_info_process`.
    has_counters: bool,
}

type Key = (MachineId, i64);

/// Pairs the processes of a pass.
pub(crate) fn pair(files: &[FileFacts]) -> Result<Pairing> {
    let mut pairing = Pairing::default();
    let mut claims = Vec::new();
    for (file, facts) in files.iter().enumerate() {
        for (guid, guid_facts) in facts.guids.iter().enumerate() {
            if guid_facts.kind == Kind::Native {
                let native = pairing.natives.len();
                let at = At { file, guid };
                let needs_tracks = read_claims(facts, guid_facts, native, &mut claims)?;
                pairing.natives.push(Native {
                    at,
                    slots: Vec::new(),
                    slot_of_row: FxHashMap::default(),
                    slot_of_pid: HashMap::new(),
                    needs_tracks,
                });
            }
        }
    }
    let mut sdk: HashMap<Key, Vec<SdkProcess>> = HashMap::new();
    let mut pids = FxHashSet::default();
    for (at, process) in sdk_processes(files) {
        let Some(pid) = process.pid else { continue };
        pids.insert(pid);
        sdk.entry((process.machine.clone(), pid))
            .or_default()
            .push(SdkProcess {
                at,
                row: process.row,
                start: process.start,
            });
    }
    let agrees = |claim: &Claim| sdk.contains_key(&(claim.machine.clone(), claim.pid));
    if !claims.iter().any(agrees) && claims.iter().any(|claim| pids.contains(&claim.pid)) {
        pairing.by_pid_alone = true;
        let mut by_pid: HashMap<Key, Vec<SdkProcess>> = HashMap::new();
        for ((_, pid), processes) in sdk {
            by_pid.entry((None, pid)).or_default().extend(processes);
        }
        for processes in by_pid.values_mut() {
            processes.sort_by_key(|process| (process.at, process.row));
        }
        sdk = by_pid;
    }
    let by_pid_alone = pairing.by_pid_alone;
    let key = |machine: &MachineId, pid| {
        let machine = if by_pid_alone { None } else { machine.clone() };
        (machine, pid)
    };

    let mut claims_of: HashMap<Key, Vec<Claim>> = HashMap::new();
    for claim in &claims {
        claims_of
            .entry(key(&claim.machine, claim.pid))
            .or_default()
            .push(claim.clone());
    }
    let mut alone = Vec::new();
    for claim in &claims {
        let key = key(&claim.machine, claim.pid);
        let same = &claims_of[&key];
        let found = sdk.get(&key).map(Vec::as_slice).unwrap_or_default();
        if !add_slot(files, &mut pairing, claim, same, found) && claim.has_counters {
            alone.push(claim);
        }
    }
    note_unpaired(files, &mut pairing, &alone)?;
    Ok(pairing)
}

fn sdk_processes(files: &[FileFacts]) -> impl Iterator<Item = (At, &crate::inventory::Process)> {
    files.iter().enumerate().flat_map(|(file, facts)| {
        let guids = facts.guids.iter().enumerate();
        guids
            .filter(|(_, guid)| guid.kind == Kind::Sdk)
            .flat_map(move |(guid, facts)| {
                let at = At { file, guid };
                facts.processes.iter().map(move |process| (at, process))
            })
    })
}

/// Collects the processes of a native guid. Returns whether PMCs name processes that are missing.
fn read_claims(
    file: &FileFacts,
    guid: &GuidFacts,
    native: usize,
    claims: &mut Vec<Claim>,
) -> Result<bool> {
    let connection = file.connect()?;
    let error = reading(file.path());
    let pmcs = guid.from("main", "rocpd_info_pmc", &["guid", "pid"]);
    let named: FxHashSet<Option<i64>> = connection
        .prepare(&format!("SELECT DISTINCT pid FROM {pmcs} WHERE guid = ?1"))
        .and_then(|mut statement| {
            statement
                .query_map([guid.guid()], |row| integer(row, 0))?
                .collect()
        })
        .map_err(&error)?;
    let rows: FxHashSet<_> = guid.processes.iter().map(|process| process.row).collect();
    let needs_tracks = named
        .iter()
        .any(|row| row.is_none_or(|row| !rows.contains(&row)));

    let carried = pids_of_events(&connection, guid).map_err(&error)?;
    let by_row = carried.as_ref().is_none_or(|carried| carried.some_without);
    for process in &guid.processes {
        let Some(pid) = process.pid else { continue };
        claims.push(Claim {
            native,
            row: Some(process.row),
            machine: process.machine.clone(),
            pid,
            start: process.start,
            has_counters: by_row && (needs_tracks || named.contains(&Some(process.row))),
        });
    }
    for pid in carried.into_iter().flat_map(|carried| carried.pids) {
        let mut known = false;
        for claim in claims.iter_mut() {
            if claim.native == native && claim.pid == pid {
                claim.has_counters = true;
                known = true;
            }
        }
        if !known {
            let mut machines: FxHashSet<_> = guid.machines.values().cloned().collect();
            if machines.is_empty() {
                machines.insert(None);
            }
            for machine in machines {
                claims.push(Claim {
                    native,
                    row: None,
                    machine,
                    pid,
                    start: None,
                    has_counters: true,
                });
            }
        }
    }
    Ok(needs_tracks)
}

/// The OS pids that events carry, in files of the tool that adds such a column.
struct CarriedPids {
    pids: Vec<i64>,
    /// Whether some events have NULL there.
    some_without: bool,
}

fn pids_of_events(
    connection: &rusqlite::Connection,
    guid: &GuidFacts,
) -> rusqlite::Result<Option<CarriedPids>> {
    if !guid.has("rocpd_event", "pid") {
        return Ok(None);
    }
    let events = guid.from("main", "rocpd_event", &["guid", "pid"]);
    let sql = format!("SELECT DISTINCT pid FROM {events} WHERE guid = ?1 ORDER BY pid");
    let found: Vec<Option<i64>> = connection
        .prepare(&sql)?
        .query_map([guid.guid()], |row| integer(row, 0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(CarriedPids {
        some_without: found.contains(&None),
        pids: found.into_iter().flatten().collect(),
    }))
}

/// Gives a claim its slot: the counterparts that are left after telling rivals apart. Returns
/// whether there are any.
fn add_slot(
    files: &[FileFacts],
    pairing: &mut Pairing,
    claim: &Claim,
    same: &[Claim],
    found: &[SdkProcess],
) -> bool {
    let mut rivals = same.iter().filter(|other| {
        other.has_counters && (other.native != claim.native || other.machine != claim.machine)
    });
    let mut slot = Slot {
        candidates: found.to_vec(),
        contested: false,
    };
    if claim.has_counters && !found.is_empty() && rivals.clone().next().is_some() {
        let known = claim.start.is_some()
            && rivals.clone().all(|other| other.start.is_some())
            && found.iter().all(|process| process.start.is_some());
        if known {
            slot.candidates
                .retain(|process| process.start == claim.start);
            slot.contested = rivals.any(|other| other.start == claim.start);
        } else {
            slot.contested = true;
        }
    }
    if slot.contested {
        let at = pairing.natives[claim.native].at;
        let reason = "another native file of this pass has the same process, and their start \
                      times do not tell them apart";
        note_ambiguous(files, pairing, claim, at, reason);
    }
    if slot.candidates.len() > 1 && claim.has_counters {
        for process in &slot.candidates {
            let reason = "this pass has the same process twice on the SDK's side";
            note_ambiguous(files, pairing, claim, process.at, reason);
        }
    }
    if slot.candidates.is_empty() {
        return false;
    }
    let native = &mut pairing.natives[claim.native];
    let index = native.slots.len();
    native.slots.push(slot);
    native
        .slot_of_pid
        .entry((claim.pid, claim.machine.clone()))
        .or_insert(index);
    native.slot_of_row.extend(claim.row.map(|row| (row, index)));
    true
}

fn note_ambiguous(files: &[FileFacts], pairing: &mut Pairing, claim: &Claim, at: At, reason: &str) {
    let note = AmbiguousProcess {
        pid: claim.pid,
        machine_id: text(&claim.machine),
        path: files[at.file].path().into(),
        reason: reason.into(),
    };
    if !pairing.ambiguous.contains(&note) {
        pairing.ambiguous.push(note);
    }
}

fn note_unpaired(files: &[FileFacts], pairing: &mut Pairing, alone: &[&Claim]) -> Result<()> {
    let paired: FxHashSet<(At, i64)> = pairing
        .natives
        .iter()
        .flat_map(|native| &native.slots)
        .flat_map(|slot| &slot.candidates)
        .map(|process| (process.at, process.row))
        .collect();
    let mut unpaired = Vec::new();
    for (at, process) in sdk_processes(files) {
        let guid = at.of(files);
        // What was merged earlier, or filled by something else, does not need the other file.
        let merged = |row| {
            guid.marks
                .iter()
                .any(|(_, mark)| mark.processes.contains(&row))
        };
        if paired.contains(&(at, process.row)) || merged(process.row) || guid.filled {
            continue;
        }
        let file = &files[at.file];
        if has_dispatches(file, guid, process.row)? {
            let process = UnpairedProcess {
                pid: process.pid,
                machine_id: text(&process.machine),
                path: file.path().into(),
                reason: "only the SDK's file is there; no native counter file has this process"
                    .into(),
            };
            unpaired.push((at, process));
        }
    }
    for claim in alone {
        let at = pairing.natives[claim.native].at;
        let process = UnpairedProcess {
            pid: Some(claim.pid),
            machine_id: text(&claim.machine),
            path: files[at.file].path().into(),
            reason: "only the native counter file is there; no SDK file that can be used has this process".into(),
        };
        unpaired.push((at, process));
    }
    unpaired.sort_by_key(|(at, process)| (*at, process.pid));
    unpaired.dedup();
    pairing.unpaired = unpaired.into_iter().map(|(_, process)| process).collect();
    Ok(())
}

fn has_dispatches(file: &FileFacts, guid: &GuidFacts, process: i64) -> Result<bool> {
    let dispatches = guid.from("main", "rocpd_kernel_dispatch", &["guid", "pid"]);
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {dispatches} WHERE guid = ?1 AND pid = ?2)");
    file.connect()?
        .query_row(&sql, (guid.guid(), process), |row| row.get(0))
        .map_err(reading(file.path()))
}

fn text(machine: &MachineId) -> Option<String> {
    machine
        .as_ref()
        .map(|machine| String::from_utf8_lossy(machine).into_owned())
}
