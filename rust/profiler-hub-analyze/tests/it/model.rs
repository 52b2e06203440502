//! What an analysis of one pass must give, worked out in memory, value by value, from the facts of
//! the format. Slow and plain on purpose; it shares no code with what it judges.

use std::collections::{BTreeMap, BTreeSet};

use crate::capture::{Capture, Db, Dispatch, Pmc, PmcEvent};

/// What the table and the report have to say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) csv: String,
    pub(crate) native_values: u64,
    pub(crate) merged_values: u64,
    pub(crate) process: u64,
    pub(crate) dispatch: u64,
    pub(crate) counter: u64,
    pub(crate) ambiguous: u64,
    pub(crate) spm_values: u64,
    pub(crate) hidden_rows: u64,
    pub(crate) by_pid_alone: bool,
}

/// A guid by its place: file, guid.
type Place = (usize, usize);

#[derive(PartialEq)]
enum Kind {
    Sdk,
    Native,
    Empty,
}

fn kind(capture: &Capture) -> Kind {
    if !capture.dispatches.is_empty() {
        Kind::Sdk
    } else if !capture.values.is_empty() {
        Kind::Native
    } else {
        Kind::Empty
    }
}

fn is_spm(capture: &Capture, value: &PmcEvent) -> bool {
    capture.spm && value.sample.is_some()
}

fn filled(capture: &Capture) -> bool {
    capture.values.iter().any(|value| !is_spm(capture, value))
}

fn machine(capture: &Capture, node: i64) -> Option<&str> {
    let node = capture.nodes.iter().find(|(id, _)| *id == node)?;
    Some(&node.1)
}

/// A process: machine and OS pid, and its start where that is recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    machine: Option<String>,
    pid: i64,
    start: Option<i64>,
}

fn identity(capture: &Capture, process: i64) -> Option<Identity> {
    let process = capture.processes.iter().find(|p| p.id == process)?;
    Some(Identity {
        machine: machine(capture, process.node).map(str::to_owned),
        pid: process.pid,
        start: process.start.filter(|&start| start != 0),
    })
}

/// The process of a native value: the event's own pid decides, then the PMC's process, then the
/// track of its sample. Nothing if the PMC is missing.
fn process_of(capture: &Capture, value: &PmcEvent) -> Option<Identity> {
    let pmc = capture.pmcs.iter().find(|pmc| pmc.id == value.pmc)?;
    let event = capture.events.iter().find(|e| Some(e.id) == value.event);
    let by_pmc = identity(capture, pmc.process);
    if capture.event_pids
        && let Some(pid) = event.and_then(|event| event.pid)
    {
        let here = match &by_pmc {
            Some(process) => process.machine.clone(),
            None => machine(capture, pmc.node).map(str::to_owned),
        };
        let same: Vec<_> = capture
            .processes
            .iter()
            .filter(|process| process.pid == pid)
            .filter_map(|process| identity(capture, process.id))
            .collect();
        let on_machine = same.iter().find(|process| process.machine == here);
        return on_machine.or(same.first()).cloned().or(Some(Identity {
            machine: here,
            pid,
            start: None,
        }));
    }
    by_pmc.or_else(|| {
        let mut samples: Vec<_> = capture.samples.iter().collect();
        samples.sort();
        samples
            .iter()
            .filter(|(_, _, event)| event.is_some() && *event == value.event)
            .filter_map(|(_, track, _)| {
                let track = capture.tracks.iter().find(|(id, _)| id == track)?;
                identity(capture, track.1?)
            })
            .next()
    })
}

/// The processes that a native guid has counters of: those that its PMCs name, or samples where PMCs
/// name missing ones, and those whose OS pids its events carry.
fn claimed(capture: &Capture) -> BTreeSet<Identity> {
    let mut claimed = BTreeSet::new();
    let without_pid = capture.events.iter().any(|event| event.pid.is_none());
    if !capture.event_pids || without_pid {
        let named = |row| capture.pmcs.iter().any(|pmc| pmc.process == row);
        let missing = |row| !capture.processes.iter().any(|process| process.id == row);
        let tracks = capture.pmcs.iter().any(|pmc| missing(pmc.process));
        for process in &capture.processes {
            if tracks || named(process.id) {
                claimed.extend(identity(capture, process.id));
            }
        }
    }
    if capture.event_pids {
        for pid in capture.events.iter().filter_map(|event| event.pid) {
            let known = capture
                .processes
                .iter()
                .filter(|process| process.pid == pid);
            let mut known: Vec<_> = known.filter_map(|p| identity(capture, p.id)).collect();
            if known.is_empty() {
                known.extend(capture.nodes.iter().map(|(_, machine)| Identity {
                    machine: Some(machine.clone()),
                    pid,
                    start: None,
                }));
            }
            claimed.extend(known);
        }
    }
    claimed
}

fn index_of(capture: &Capture, agent: Option<i64>) -> Option<i64> {
    let agent = capture.agents.iter().find(|(id, _)| Some(*id) == agent)?;
    agent.1
}

/// The counter of the SDK's guid that a native PMC means on a dispatch.
fn counter<'a>(
    sdk: &'a Capture,
    dispatch: &Dispatch,
    native: &Capture,
    pmc: &Pmc,
) -> Option<&'a Pmc> {
    let native_agent = index_of(native, pmc.agent);
    let ran_on = index_of(sdk, Some(dispatch.agent));
    if native_agent.is_some() && ran_on.is_some() && native_agent != ran_on {
        return None;
    }
    let mut rows: Vec<_> = sdk
        .pmcs
        .iter()
        .filter(|row| row.process == dispatch.process)
        .filter(|row| row.symbol == pmc.symbol && row.arch == pmc.arch)
        .collect();
    rows.sort_by_key(|row| row.id);
    let wanted = native_agent.or(ran_on);
    let named = rows.iter().find(|row| match wanted {
        Some(wanted) => index_of(sdk, row.agent) == Some(wanted),
        None => row.agent == Some(dispatch.agent),
    });
    let unnamed = rows.iter().find(|row| index_of(sdk, row.agent).is_none());
    named.or(unnamed).copied()
}

/// A value on its way to a dispatch.
struct Landed {
    value: Option<f64>,
    counter: String,
}

pub(crate) fn expect(files: &[Db]) -> Expected {
    let mut expected = Expected::default();
    let mut order: Vec<usize> = (0..files.len()).collect();
    // The names in these tests are of one length: natural order is that of their bytes.
    order.sort_by_key(|&file| &files[file].name);
    let at = |place: Place| &files[place.0].guids[place.1];
    let places: Vec<Place> = order
        .iter()
        .flat_map(|&file| (0..files[file].guids.len()).map(move |guid| (file, guid)))
        .collect();
    let sdks: Vec<Place> = places
        .iter()
        .copied()
        .filter(|&place| kind(at(place)) == Kind::Sdk)
        .collect();
    let natives: Vec<Place> = places
        .iter()
        .copied()
        .filter(|&place| kind(at(place)) == Kind::Native)
        .collect();

    let sdk_processes: Vec<(Place, i64, Identity)> = sdks
        .iter()
        .flat_map(|&place| {
            let capture = at(place);
            let rows = capture.processes.iter();
            rows.map(move |p| (place, p.id, identity(capture, p.id).unwrap()))
        })
        .collect();
    let same_process = |a: &Identity, b: &Identity| a.machine == b.machine && a.pid == b.pid;

    // All processes of the native side, and those that values belong to.
    let mut present: BTreeSet<Identity> = BTreeSet::new();
    let mut claims: BTreeSet<(Place, Identity)> = BTreeSet::new();
    for &place in &natives {
        let capture = at(place);
        for process in &capture.processes {
            present.insert(identity(capture, process.id).unwrap());
        }
        for process in claimed(capture) {
            present.insert(process.clone());
            claims.insert((place, process));
        }
    }
    let agree = present.iter().any(|native| {
        sdk_processes
            .iter()
            .any(|(_, _, sdk)| same_process(native, sdk))
    });
    let pids_meet = present.iter().any(|native| {
        sdk_processes
            .iter()
            .any(|(_, _, sdk)| native.pid == sdk.pid)
    });
    expected.by_pid_alone = !agree && pids_meet;
    let matches = |a: &Identity, b: &Identity| {
        if expected.by_pid_alone {
            a.pid == b.pid
        } else {
            same_process(a, b)
        }
    };

    let mut landed: BTreeMap<(Place, i64), Vec<Landed>> = BTreeMap::new();
    let (mut merged, mut process, mut dispatch, mut no_counter, mut ambiguous) = (0, 0, 0, 0, 0);
    for &place in &natives {
        let native = at(place);
        let mut values: Vec<_> = native.values.iter().collect();
        values.sort_by_key(|value| value.id);
        for value in values {
            if is_spm(native, value) {
                expected.spm_values += 1;
                continue;
            }
            expected.native_values += 1;
            let Some(identity) = process_of(native, value) else {
                process += 1;
                continue;
            };
            let pmc = native.pmcs.iter().find(|pmc| pmc.id == value.pmc).unwrap();
            let mut candidates: Vec<_> = sdk_processes
                .iter()
                .filter(|(_, _, sdk)| matches(&identity, sdk))
                .collect();
            // Several native files for the process: start times tell them apart, if recorded.
            let rivals: Vec<_> = claims
                .iter()
                .filter(|(other, claim)| {
                    matches(claim, &identity)
                        && (*other != place || claim.machine != identity.machine)
                })
                .collect();
            let mut contested = false;
            if !rivals.is_empty() {
                let known = identity.start.is_some()
                    && rivals.iter().all(|(_, claim)| claim.start.is_some())
                    && candidates.iter().all(|(_, _, sdk)| sdk.start.is_some());
                if known {
                    candidates.retain(|(_, _, sdk)| sdk.start == identity.start);
                    contested = rivals
                        .iter()
                        .any(|(_, claim)| claim.start == identity.start);
                } else {
                    contested = true;
                }
            }
            if candidates.is_empty() {
                process += 1;
                continue;
            }
            let event = native.events.iter().find(|e| Some(e.id) == value.event);
            let Some(id) = event.and_then(|event| event.correlation) else {
                dispatch += 1;
                continue;
            };
            let launches: Vec<(Place, &Dispatch)> = candidates
                .iter()
                .flat_map(|(place, row, _)| {
                    let sdk = at(*place);
                    sdk.dispatches
                        .iter()
                        .filter(move |d| d.process == *row && d.dispatch_id == id)
                        .filter(|d| d.event.is_some())
                        .map(move |d| (*place, d))
                })
                .collect();
            if launches.is_empty() {
                dispatch += 1;
                continue;
            }
            let found: Vec<_> = launches
                .iter()
                .filter_map(|(place, launch)| {
                    Some((*place, *launch, counter(at(*place), launch, native, pmc)?))
                })
                .collect();
            let [(sdk, launch, counter)] = found.as_slice() else {
                if found.is_empty() {
                    no_counter += 1;
                } else {
                    ambiguous += 1;
                }
                continue;
            };
            let users = at(*sdk).dispatches.iter();
            let shared = users.filter(|d| d.event == launch.event).count() > 1;
            if contested || shared {
                ambiguous += 1;
            } else if filled(at(*sdk)) {
                process += 1;
            } else {
                merged += 1;
                landed.entry((*sdk, launch.id)).or_default().push(Landed {
                    value: value.value,
                    counter: counter.name.clone(),
                });
            }
        }
    }
    expected.merged_values = merged;
    expected.process = process;
    expected.dispatch = dispatch;
    expected.counter = no_counter;
    expected.ambiguous = ambiguous;

    // What is in the SDK's files already.
    for &place in &sdks {
        let sdk = at(place);
        for value in &sdk.values {
            if is_spm(sdk, value) {
                expected.spm_values += 1;
                continue;
            }
            let Some(pmc) = sdk.pmcs.iter().find(|pmc| pmc.id == value.pmc) else {
                continue;
            };
            for d in &sdk.dispatches {
                if d.event.is_some() && d.event == value.event {
                    landed.entry((place, d.id)).or_default().push(Landed {
                        value: value.value,
                        counter: pmc.name.clone(),
                    });
                }
            }
        }
    }
    table(&order, files, &landed, &mut expected);
    expected
}

/// The rows, in order.
fn table(
    order: &[usize],
    files: &[Db],
    landed: &BTreeMap<(Place, i64), Vec<Landed>>,
    expected: &mut Expected,
) {
    let mut csv = String::from(
        "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,\
         Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,\
         End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n",
    );
    let mut dispatch_numbers: Vec<String> = Vec::new();
    let mut kernel_numbers: Vec<String> = Vec::new();
    let number = |numbers: &mut Vec<String>, key: String| match numbers
        .iter()
        .position(|known| *known == key)
    {
        Some(number) => number,
        None => {
            numbers.push(key);
            numbers.len() - 1
        }
    };
    for &file in order {
        let mut dispatches: Vec<(Option<i64>, usize, &Dispatch)> = Vec::new();
        for (guid, capture) in files[file].guids.iter().enumerate() {
            for d in &capture.dispatches {
                let pid = identity(capture, d.process).map(|process| process.pid);
                dispatches.push((pid, guid, d));
            }
        }
        dispatches.sort_by_key(|(pid, guid, d)| (*pid, *guid, d.dispatch_id, d.id));
        let mut shown = BTreeSet::new();
        for (pid, guid, d) in dispatches {
            let capture = &files[file].guids[guid];
            let Some(values) = landed.get(&((file, guid), d.id)) else {
                continue;
            };
            let mut sums: BTreeMap<&[u8], Option<f64>> = BTreeMap::new();
            for value in values {
                let sum = sums.entry(value.counter.as_bytes()).or_default();
                if let Some(value) = value.value {
                    *sum = Some(sum.unwrap_or(0.0) + value);
                }
            }
            let symbol = capture.symbols.iter().find(|(id, _)| *id == d.symbol);
            let event = capture.events.iter().find(|e| Some(e.id) == d.event);
            let name = symbol.and_then(|symbol| symbol.1.as_deref());
            let shape = format!("{name:?} {} {:?}", d.grid, d.lds);
            let kernel = number(&mut kernel_numbers, shape.clone());
            let owner = identity(capture, d.process).and_then(|process| process.machine);
            let key = format!("{owner:?} {pid:?} {shape} {} {}", d.start, d.end);
            let dispatch = number(&mut dispatch_numbers, key);
            let complete = symbol.is_some()
                && event.is_some()
                && pid.is_some()
                && d.thread
                    .is_some_and(|thread| capture.threads.contains(&thread))
                && capture.agents.iter().any(|(id, _)| *id == d.agent);
            for (counter, sum) in sums {
                let text = |number: Option<i64>| number.map_or(String::new(), |n| n.to_string());
                let registers = if symbol.is_some() { "4,8,16" } else { ",," };
                let value = match sum {
                    Some(sum) => format!("{sum:?}"),
                    None => String::new(),
                };
                let quote = |field: &str| {
                    if field.contains(['"', ',', '\n', '\r']) {
                        format!("\"{}\"", field.replace('"', "\"\""))
                    } else {
                        field.to_owned()
                    }
                };
                csv += &format!(
                    "{},{},{},{dispatch},{},64,{},3,{registers},{},{},{},{kernel},{},{value}\n",
                    d.agent,
                    capture.guid,
                    text(event.and_then(|event| event.stack)),
                    d.grid,
                    text(d.lds),
                    quote(name.unwrap_or_default()),
                    d.start,
                    d.end,
                    quote(std::str::from_utf8(counter).unwrap()),
                );
                let row = (guid, d.dispatch_id, d.agent, counter.to_owned());
                if !complete || !shown.insert(row) {
                    expected.hidden_rows += 1;
                }
            }
        }
    }
    expected.csv = csv;
}
