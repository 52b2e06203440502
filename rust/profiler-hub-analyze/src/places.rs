//! Where the values of a native guid belong: the small maps that the merge's statement joins with.
//!
//! The maps are made from the tables of dispatches, agents and counters, which are small. The values
//! themselves are only ever touched by the one statement that is built in [`crate::matching`].

use std::collections::HashMap;

use rusqlite::Connection;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Result;
use crate::error::reading;
use crate::inventory::{FileFacts, GuidFacts, MachineId, bytes, integer};
use crate::pairing::{At, Native};

/// What becomes of a value, as the maps and the statement number it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    Merged = 0,
    Process = 1,
    Dispatch = 2,
    Counter = 3,
    Ambiguous = 4,
}

/// A PMC of the native guid.
#[derive(Debug)]
pub(crate) struct NativePmc {
    pub(crate) id: i64,
    /// The slot of its process, if that has a counterpart.
    pub(crate) slot: Option<usize>,
    /// Its process is missing: the tracks of samples decide.
    pub(crate) lost: bool,
    /// PMCs of one class have the same symbol, target architecture and agent.
    pub(crate) class: usize,
    /// Its machine, a number in [`Places::machines`].
    pub(crate) machine: usize,
}

/// A dispatch on the SDK's side that values of the native guid may belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Launch {
    pub(crate) slot: u32,
    pub(crate) site: u32,
    pub(crate) dispatch_id: i64,
    pub(crate) event: i64,
}

/// One more dispatch of the same process with the same id.
#[derive(Debug)]
pub(crate) struct Rival {
    pub(crate) slot: u32,
    pub(crate) dispatch_id: i64,
    /// Its place among the dispatches with that id; the first, 0, is the [`Launch`].
    pub(crate) pick: usize,
    pub(crate) event: i64,
}

/// What becomes of the values of a class at a site.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) class: usize,
    pub(crate) site: usize,
    pub(crate) outcome: Outcome,
    /// The SDK guid, a number in [`Places::targets`].
    pub(crate) target: usize,
    /// The SDK's PMC.
    pub(crate) pmc: i64,
    /// Which of the dispatches with the same id.
    pub(crate) pick: usize,
}

/// The maps for one native guid.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The SDK guids that have processes of the native guid.
    pub(crate) targets: Vec<At>,
    pub(crate) slots: usize,
    pub(crate) pmcs: Vec<NativePmc>,
    pub(crate) launches: Vec<Launch>,
    pub(crate) rivals: Vec<Rival>,
    pub(crate) sites: usize,
    pub(crate) verdicts: Vec<Verdict>,
    /// For events that carry an OS pid: pid and machine of the PMC to slot.
    pub(crate) carried: Vec<(i64, usize, usize)>,
    /// For PMCs without a process: track to slot.
    pub(crate) tracks: Vec<(i64, usize)>,
    machines: Vec<MachineId>,
}

/// The dispatches that share process, agent and guid, or several such where ids are not unique.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Site {
    slot: u32,
    spots: Vec<Spot>,
}

/// Where a dispatch ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spot {
    target: usize,
    process: i64,
    agent: Option<i64>,
    /// The event stands for another dispatch too: a value put there could not be told apart.
    shared_event: bool,
}

/// What identifies a counter on the native side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Class {
    symbol: Box<[u8]>,
    target_arch: Option<Box<[u8]>>,
    /// The agent's absolute index, where it is recorded.
    agent: Option<i64>,
}

/// The counters of an SDK guid.
struct SdkCounters {
    /// Agent row to absolute index.
    agents: FxHashMap<i64, Option<i64>>,
    /// By process row, symbol and target architecture, in the order of their ids.
    pmcs: HashMap<SdkCounter, Vec<SdkPmc>>,
}

/// Process row, symbol and target architecture.
type SdkCounter = (i64, Box<[u8]>, Option<Box<[u8]>>);

struct SdkPmc {
    id: i64,
    agent_row: Option<i64>,
    agent: Option<i64>,
}

impl Places {
    /// Makes the maps for a native guid.
    pub(crate) fn find(files: &[FileFacts], native: &Native) -> Result<Self> {
        let mut places = Self {
            slots: native.slots.len(),
            ..Self::default()
        };
        if native.slots.is_empty() {
            return Ok(places);
        }
        let file = &files[native.at.file];
        let guid = native.at.of(files);
        let connection = file.connect()?;
        let error = reading(file.path());
        let classes = places
            .read_native_pmcs(&connection, guid, native)
            .map_err(&error)?;
        places
            .read_event_processes(&connection, guid, native)
            .map_err(&error)?;
        drop(connection);

        let mut sites = Sites::default();
        for slot in &native.slots {
            for process in &slot.candidates {
                if !places.targets.contains(&process.at) {
                    places.targets.push(process.at);
                }
            }
        }
        places.targets.sort();
        let mut counters = Vec::with_capacity(places.targets.len());
        for target in 0..places.targets.len() {
            let at = places.targets[target];
            let file = &files[at.file];
            let guid = at.of(files);
            let connection = file.connect()?;
            let error = reading(file.path());
            places
                .read_launches(&connection, guid, native, target, &mut sites)
                .map_err(&error)?;
            counters.push(read_sdk_counters(&connection, guid).map_err(&error)?);
        }
        places.gather_rivals(&mut sites);
        places.judge(files, native, &classes, &sites.list, &counters);
        places.sites = sites.list.len();
        Ok(places)
    }

    fn read_native_pmcs(
        &mut self,
        connection: &Connection,
        guid: &GuidFacts,
        native: &Native,
    ) -> rusqlite::Result<Vec<Class>> {
        let agents = read_agents(connection, guid)?;
        let columns = [
            "id",
            "guid",
            "nid",
            "pid",
            "agent_id",
            "target_arch",
            "symbol",
        ];
        let table = guid.from("main", "rocpd_info_pmc", &columns);
        let sql = format!(
            "SELECT id, nid, pid, agent_id, target_arch, symbol FROM {table} WHERE guid = ?1"
        );
        let mut numbers: HashMap<Class, usize> = HashMap::new();
        let mut machines: HashMap<MachineId, usize> = HashMap::new();
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([guid.guid()])?;
        while let Some(row) = rows.next()? {
            let agent = integer(row, 3)?.and_then(|id| agents.get(&id).copied().flatten());
            let class = Class {
                symbol: bytes(row, 5)?.unwrap_or_default(),
                target_arch: bytes(row, 4)?,
                agent,
            };
            let process = integer(row, 2)?;
            // The process's machine; where the process is missing, the PMC's node.
            let known = guid.processes.iter().find(|p| Some(p.row) == process);
            let machine = match known {
                Some(process) => process.machine.clone(),
                None => integer(row, 1)?
                    .and_then(|node| guid.machines.get(&node).cloned())
                    .flatten(),
            };
            let next = numbers.len();
            let class = *numbers.entry(class).or_insert(next);
            let next = machines.len();
            self.pmcs.push(NativePmc {
                id: integer(row, 0)?.unwrap_or_default(),
                slot: process.and_then(|row| native.slot_of_row.get(&row).copied()),
                lost: known.is_none(),
                class,
                machine: *machines.entry(machine).or_insert(next),
            });
        }
        self.machines = in_order(machines);
        Ok(in_order(numbers))
    }

    fn read_event_processes(
        &mut self,
        connection: &Connection,
        guid: &GuidFacts,
        native: &Native,
    ) -> rusqlite::Result<()> {
        if guid.has("rocpd_event", "pid") {
            let pids: FxHashSet<i64> = native.slot_of_pid.keys().map(|(pid, _)| *pid).collect();
            for pid in pids {
                for (number, machine) in self.machines.iter().enumerate() {
                    let machine = machine_of(guid, pid, machine);
                    if let Some(&slot) = native.slot_of_pid.get(&(pid, machine)) {
                        self.carried.push((pid, number, slot));
                    }
                }
            }
        }
        if native.needs_tracks {
            let table = guid.from("main", "rocpd_track", &["id", "guid", "pid"]);
            let sql = format!("SELECT id, pid FROM {table} WHERE guid = ?1");
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([guid.guid()])?;
            while let Some(row) = rows.next()? {
                let slot = integer(row, 1)?.and_then(|pid| native.slot_of_row.get(&pid));
                if let (Some(id), Some(&slot)) = (integer(row, 0)?, slot) {
                    self.tracks.push((id, slot));
                }
            }
        }
        Ok(())
    }

    /// Reads the dispatches of an SDK guid that belong to a slot's candidates.
    fn read_launches(
        &mut self,
        connection: &Connection,
        guid: &GuidFacts,
        native: &Native,
        target: usize,
        sites: &mut Sites,
    ) -> rusqlite::Result<()> {
        let at = self.targets[target];
        let mut slots: FxHashMap<i64, Vec<u32>> = FxHashMap::default();
        for (number, slot) in (0..).zip(&native.slots) {
            for process in slot.candidates.iter().filter(|process| process.at == at) {
                slots.entry(process.row).or_default().push(number);
            }
        }
        let columns = ["id", "guid", "pid", "agent_id", "dispatch_id", "event_id"];
        let table = guid.from("main", "rocpd_kernel_dispatch", &columns);
        let shared = shared_events(connection, guid, &table)?;
        let sql = format!(
            "SELECT dispatch_id, event_id, agent_id, pid FROM {table} \
             WHERE guid = ?1 AND event_id IS NOT NULL ORDER BY id"
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([guid.guid()])?;
        while let Some(row) = rows.next()? {
            let (Some(dispatch_id), Some(event), Some(process)) =
                (integer(row, 0)?, integer(row, 1)?, integer(row, 3)?)
            else {
                continue;
            };
            let spot = Spot {
                target,
                process,
                agent: integer(row, 2)?,
                shared_event: shared.contains(&event),
            };
            for &slot in slots.get(&process).into_iter().flatten() {
                let site = sites.single(slot, spot);
                self.launches.push(Launch {
                    slot,
                    site,
                    dispatch_id,
                    event,
                });
            }
        }
        Ok(())
    }

    /// Leaves one launch for each slot and dispatch id; the others become its rivals.
    fn gather_rivals(&mut self, sites: &mut Sites) {
        let key = |launch: &Launch| (launch.slot, launch.dispatch_id);
        let unique = self.launches.windows(2).all(|w| key(&w[0]) < key(&w[1]));
        if unique {
            return;
        }
        // Stable, so that rivals stay in the order of their files and rows.
        self.launches.sort_by_key(key);
        let mut kept: usize = 0;
        let mut next = 0;
        while next < self.launches.len() {
            let first = self.launches[next];
            let same = self.launches[next..]
                .iter()
                .take_while(|launch| key(launch) == key(&first))
                .count();
            let mut launch = first;
            if same > 1 {
                let group = &self.launches[next..next + same];
                launch.site = sites.several(group.iter().map(|launch| launch.site));
                for (pick, rival) in group.iter().enumerate().skip(1) {
                    self.rivals.push(Rival {
                        slot: rival.slot,
                        dispatch_id: rival.dispatch_id,
                        pick,
                        event: rival.event,
                    });
                }
            }
            self.launches[kept] = launch;
            kept += 1;
            next += same;
        }
        self.launches.truncate(kept);
    }

    /// Decides for every class of counters and every site that can meet.
    fn judge(
        &mut self,
        files: &[FileFacts],
        native: &Native,
        classes: &[Class],
        sites: &[Site],
        counters: &[SdkCounters],
    ) {
        // A class meets the sites of its PMCs' slots, or all where events or tracks decide.
        let any_slot = !self.carried.is_empty() || !self.tracks.is_empty();
        let mut meets: FxHashSet<(usize, usize)> = FxHashSet::default();
        for pmc in &self.pmcs {
            meets.extend(pmc.slot.map(|slot| (pmc.class, slot)));
            if any_slot {
                meets.extend((0..self.slots).map(|slot| (pmc.class, slot)));
            }
        }
        let mut sites_of: Vec<Vec<usize>> = vec![Vec::new(); self.slots];
        for (number, site) in sites.iter().enumerate() {
            sites_of[site.slot as usize].push(number);
        }
        for (class, slot) in meets {
            for &site in &sites_of[slot] {
                let found: Vec<_> = sites[site]
                    .spots
                    .iter()
                    .enumerate()
                    .filter_map(|(pick, spot)| {
                        let pmc = counters[spot.target].find(&classes[class], spot)?;
                        Some((pick, spot.target, pmc))
                    })
                    .collect();
                let Some(&(pick, target, pmc)) = found.first() else {
                    continue;
                };
                let unclear = sites[site].spots[pick].shared_event || native.slots[slot].contested;
                let outcome = if found.len() > 1 || unclear {
                    Outcome::Ambiguous
                } else if self.targets[target].of(files).filled {
                    // Nothing is merged into what something else filled.
                    Outcome::Process
                } else {
                    Outcome::Merged
                };
                self.verdicts.push(Verdict {
                    class,
                    site,
                    outcome,
                    target,
                    pmc,
                    pick,
                });
            }
        }
    }
}

/// The machine of the process that an event's own pid means: the one process of the guid with that
/// pid; of several the one on the PMC's machine; without any, the PMC's machine.
fn machine_of(guid: &GuidFacts, pid: i64, pmc_machine: &MachineId) -> MachineId {
    let mut same = guid.processes.iter().filter(|p| p.pid == Some(pid));
    match same.clone().next() {
        Some(first) if !same.any(|process| process.machine == *pmc_machine) => {
            first.machine.clone()
        }
        _ => pmc_machine.clone(),
    }
}

impl SdkCounters {
    /// The counter that a value of this class gets at this spot: the agents are the same, and of
    /// several rows the lowest id counts. A row without an agent stands in where no row names it.
    fn find(&self, class: &Class, spot: &Spot) -> Option<i64> {
        let ran_on = spot
            .agent
            .and_then(|agent| self.agents.get(&agent).copied().flatten());
        if let (Some(native), Some(ran_on)) = (class.agent, ran_on)
            && native != ran_on
        {
            return None;
        }
        let wanted = class.agent.or(ran_on);
        let key = (
            spot.process,
            class.symbol.clone(),
            class.target_arch.clone(),
        );
        let rows = self.pmcs.get(&key)?;
        let named = rows.iter().find(|row| match wanted {
            Some(index) => row.agent == Some(index),
            None => row.agent_row.is_some() && row.agent_row == spot.agent,
        });
        named
            .or_else(|| rows.iter().find(|row| row.agent.is_none()))
            .map(|row| row.id)
    }
}

/// The sites met so far, each with a number.
#[derive(Default)]
struct Sites {
    list: Vec<Site>,
    numbers: HashMap<Site, u32>,
    /// The last one that was asked for: dispatches of one agent come in a row.
    last: Option<(u32, Spot, u32)>,
}

impl Sites {
    fn single(&mut self, slot: u32, spot: Spot) -> u32 {
        if let Some((last_slot, last_spot, number)) = self.last
            && (last_slot, last_spot) == (slot, spot)
        {
            return number;
        }
        let number = self.number(Site {
            slot,
            spots: vec![spot],
        });
        self.last = Some((slot, spot, number));
        number
    }

    /// The site of several dispatches with the same id.
    fn several(&mut self, sites: impl Iterator<Item = u32>) -> u32 {
        let mut all = Site {
            slot: 0,
            spots: Vec::new(),
        };
        for site in sites {
            let site = &self.list[site as usize];
            all.slot = site.slot;
            all.spots.extend(&site.spots);
        }
        self.number(all)
    }

    fn number(&mut self, site: Site) -> u32 {
        let next = u32::try_from(self.list.len()).expect("agents and processes are few");
        let list = &mut self.list;
        *self.numbers.entry(site).or_insert_with_key(|site| {
            list.push(site.clone());
            next
        })
    }
}

fn read_agents(
    connection: &Connection,
    guid: &GuidFacts,
) -> rusqlite::Result<FxHashMap<i64, Option<i64>>> {
    let table = guid.from(
        "main",
        "rocpd_info_agent",
        &["id", "guid", "absolute_index"],
    );
    let sql = format!("SELECT id, absolute_index FROM {table} WHERE guid = ?1");
    let mut agents = FxHashMap::default();
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([guid.guid()])?;
    while let Some(row) = rows.next()? {
        if let Some(id) = integer(row, 0)? {
            agents.insert(id, integer(row, 1)?);
        }
    }
    Ok(agents)
}

fn read_sdk_counters(connection: &Connection, guid: &GuidFacts) -> rusqlite::Result<SdkCounters> {
    let agents = read_agents(connection, guid)?;
    let columns = ["id", "guid", "pid", "agent_id", "target_arch", "symbol"];
    let table = guid.from("main", "rocpd_info_pmc", &columns);
    let sql = format!(
        "SELECT id, pid, agent_id, target_arch, symbol FROM {table} WHERE guid = ?1 ORDER BY id"
    );
    let mut pmcs: HashMap<_, Vec<SdkPmc>> = HashMap::new();
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([guid.guid()])?;
    while let Some(row) = rows.next()? {
        let (Some(id), Some(process)) = (integer(row, 0)?, integer(row, 1)?) else {
            continue;
        };
        let agent_row = integer(row, 2)?;
        let key = (process, bytes(row, 4)?.unwrap_or_default(), bytes(row, 3)?);
        pmcs.entry(key).or_default().push(SdkPmc {
            id,
            agent_row,
            agent: agent_row.and_then(|row| agents.get(&row).copied().flatten()),
        });
    }
    Ok(SdkCounters { agents, pmcs })
}

/// Events that stand for several dispatches. There are none in a sound file, which the ascending
/// order of ids shows in one pass over the table.
fn shared_events(
    connection: &Connection,
    guid: &GuidFacts,
    dispatches: &str,
) -> rusqlite::Result<FxHashSet<i64>> {
    let sql = format!(
        "SELECT event_id FROM {dispatches} WHERE guid = ?1 AND event_id IS NOT NULL ORDER BY id"
    );
    let mut last = None;
    let mut ascending = true;
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([guid.guid()])?;
    while let Some(row) = rows.next()? {
        let event = integer(row, 0)?;
        ascending &= last < event;
        last = event;
        if !ascending {
            break;
        }
    }
    if ascending {
        return Ok(FxHashSet::default());
    }
    let sql = format!(
        "SELECT event_id FROM {dispatches} WHERE guid = ?1 AND event_id IS NOT NULL \
         GROUP BY event_id HAVING count(*) > 1"
    );
    connection
        .prepare(&sql)?
        .query_map([guid.guid()], |row| integer(row, 0))?
        .filter_map(rusqlite::Result::transpose)
        .collect()
}

/// The keys of a numbering, by number.
fn in_order<T>(numbers: HashMap<T, usize>) -> Vec<T> {
    let mut keys: Vec<_> = numbers.into_iter().collect();
    keys.sort_by_key(|(_, number)| *number);
    keys.into_iter().map(|(key, _)| key).collect()
}
