//! The SDK's own rocpd of the run, with the SDK's id conventions: written with plain SQL, so that
//! nothing of the project's writer is in it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusqlite::{Connection, Transaction, params};

use crate::agents::{counters_of, handle};
use crate::runtime::{kernel_id, now};
use crate::scenario::{Dispatch, RESULTS_VARIABLE};
use crate::sdk::{lock, sdk};

/// Dispatches of the run, in the order of their launch.
pub(crate) type Results = Vec<DispatchRow>;

pub(crate) struct DispatchRow {
    pub(crate) dispatch: Dispatch,
    pub(crate) dispatch_id: u64,
    pub(crate) thread_id: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| std::env::var_os(RESULTS_VARIABLE).map(PathBuf::from))
        .as_deref()
}

/// Whether anybody wants the database.
pub(crate) fn wanted() -> bool {
    folder().is_some()
}

/// Writes `<pid>_results.db`, anew.
pub(crate) fn write() {
    let Some(folder) = folder() else { return };
    let path = folder.join(format!("{}_results.db", std::process::id()));
    if let Err(error) = write_file(&path) {
        eprintln!("[sim-sdk] cannot write {}: {error}", path.display());
    }
}

fn write_file(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    if path.exists() {
        std::fs::remove_file(path)?;
    }
    let guid = uuid::Uuid::now_v7().to_string();
    let suffix = guid.replace('-', "_");
    let mut connection = Connection::open(path)?;
    // The published DDL has text defaults in double quotes.
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DQS_DDL, true)?;
    connection.execute_batch(
        &include_str!("schema.sql")
            .replace("{guid}", &guid)
            .replace("{suffix}", &suffix),
    )?;
    let transaction = connection.transaction()?;
    Writer {
        transaction: &transaction,
        guid: &guid,
        suffix: &suffix,
        nid: 4_245_107_803,
        pid: std::process::id(),
    }
    .rows()?;
    transaction.commit()?;
    Ok(())
}

struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    guid: &'a str,
    suffix: &'a str,
    nid: i64,
    pid: u32,
}

fn signed(number: u64) -> i64 {
    number.cast_signed()
}

impl Writer<'_> {
    /// Inserts a row: columns named, the guid added.
    fn insert(
        &self,
        table: &str,
        columns: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> rusqlite::Result<()> {
        let marks = vec!["?"; values.len() + 1].join(", ");
        let sql = format!(
            "INSERT INTO \"{table}_{}\" ({columns}, \"guid\") VALUES ({marks})",
            self.suffix
        );
        let mut all = values.to_vec();
        all.push(&self.guid);
        self.transaction
            .prepare_cached(&sql)?
            .execute(all.as_slice())
            .map(|_| ())
    }

    fn rows(&self) -> Result<(), Box<dyn std::error::Error>> {
        let metadata = format!(
            "INSERT INTO \"rocpd_metadata_{}\" (\"tag\", \"value\") VALUES (?, ?)",
            self.suffix
        );
        for (tag, value) in [
            ("schema_version", "3"),
            ("uuid", &format!("_{}", self.suffix)),
            ("guid", self.guid),
        ] {
            self.transaction.execute(&metadata, params![tag, value])?;
        }
        for (id, string) in [(1, ""), (2, "KERNEL_DISPATCH")] {
            self.insert("rocpd_string", "\"id\", \"string\"", &[&id, &string])?;
        }
        let machine_id = ["/etc/machine-id", "/var/lib/dbus/machine-id"]
            .iter()
            .find_map(|path| std::fs::read_to_string(path).ok())
            .and_then(|text| text.lines().next().map(str::to_owned))
            .unwrap_or_default();
        self.insert(
            "rocpd_info_node",
            "\"id\", \"hash\", \"machine_id\", \"hostname\"",
            &[
                &self.nid,
                &33_617_008_691_957_i64,
                &machine_id,
                &"simulation",
            ],
        )?;
        let end = signed(now());
        self.insert(
            "rocpd_info_process",
            "\"id\", \"nid\", \"ppid\", \"pid\", \"end\", \"command\"",
            &[
                &self.pid,
                &self.nid,
                &std::os::unix::process::parent_id(),
                &self.pid,
                &end,
                &"a simulated run",
            ],
        )?;
        self.agents_and_counters()?;
        self.kernels()?;
        self.dispatches()?;
        Ok(())
    }

    fn agents_and_counters(&self) -> rusqlite::Result<()> {
        let scenario = &sdk().scenario;
        for (index, agent) in scenario.agents.iter().enumerate() {
            let logical = sdk().agents.structs[index].logical_node_id;
            self.insert(
                "rocpd_info_agent",
                "\"id\", \"nid\", \"pid\", \"type\", \"absolute_index\", \"logical_index\", \"type_index\", \"uuid\", \"name\"",
                &[&agent.node_id, &self.nid, &self.pid, &agent.r#type, &agent.node_id, &logical, &agent.logical_node_type_id, &agent.device_id, &agent.name],
            )?;
            for (number, counter) in scenario.counters.iter().enumerate() {
                let id = handle(agent.node_id, number);
                if counters_of(scenario, index).contains(&id) {
                    self.insert(
                        "rocpd_info_pmc",
                        "\"id\", \"nid\", \"pid\", \"agent_id\", \"target_arch\", \"name\", \"symbol\", \"component\", \"value_type\", \"block\", \"expression\", \"is_constant\", \"is_derived\"",
                        &[&signed(id.handle), &self.nid, &self.pid, &agent.node_id, &"GPU", &counter.name, &counter.name, &"rocm", &"ABS", &counter.block, &counter.expression, &counter.is_constant, &counter.is_derived],
                    )?;
                }
            }
        }
        Ok(())
    }

    fn kernels(&self) -> rusqlite::Result<()> {
        let scenario = &sdk().scenario;
        for (index, agent) in scenario
            .agents
            .iter()
            .enumerate()
            .filter(|(_, agent)| agent.r#type != "CPU")
        {
            let code_object = signed(index as u64 + 1);
            self.insert(
                "rocpd_info_code_object",
                "\"id\", \"nid\", \"pid\", \"agent_id\", \"uri\", \"load_base\", \"load_size\", \"load_delta\", \"storage_type\"",
                &[&code_object, &self.nid, &self.pid, &agent.node_id, &"memory://simulation", &0, &0, &0, &"MEMORY"],
            )?;
            for (kernel, named) in scenario.kernels.iter().enumerate() {
                self.insert(
                    "rocpd_info_kernel_symbol",
                    "\"id\", \"nid\", \"pid\", \"code_object_id\", \"kernel_name\", \"display_name\", \"sgpr_count\", \"arch_vgpr_count\", \"accum_vgpr_count\"",
                    &[&signed(kernel_id(index, kernel)), &self.nid, &self.pid, &code_object, &named.name, &named.name, &16, &4, &4],
                )?;
            }
        }
        Ok(())
    }

    fn dispatches(&self) -> rusqlite::Result<()> {
        let (mut threads, mut queues) = (Vec::new(), Vec::new());
        self.insert(
            "rocpd_info_stream",
            "\"id\", \"nid\", \"pid\", \"name\"",
            &[&0, &self.nid, &self.pid, &"Default Stream"],
        )?;
        for row in lock(&sdk().results).iter() {
            let (thread, queue, id) = (
                signed(row.thread_id),
                signed(row.dispatch.queue),
                signed(row.dispatch_id),
            );
            if !threads.contains(&thread) {
                threads.push(thread);
                self.insert(
                    "rocpd_info_thread",
                    "\"id\", \"nid\", \"pid\", \"tid\"",
                    &[&thread, &self.nid, &self.pid, &thread],
                )?;
            }
            if !queues.contains(&queue) {
                queues.push(queue);
                self.insert(
                    "rocpd_info_queue",
                    "\"id\", \"nid\", \"pid\", \"name\"",
                    &[&queue, &self.nid, &self.pid, &format!("Queue {queue}")],
                )?;
            }
            self.insert(
                "rocpd_event",
                "\"id\", \"category_id\", \"stack_id\", \"parent_stack_id\", \"correlation_id\"",
                &[&id, &2, &(id + 100), &(id + 100), &0],
            )?;
            let dispatch = &row.dispatch;
            let node_id = sdk().scenario.agents[dispatch.agent].node_id;
            let kernel = signed(kernel_id(dispatch.agent, dispatch.kernel));
            let ([x, y, z], [gx, gy, gz]) = (dispatch.workgroup, dispatch.grid);
            self.insert(
                "rocpd_kernel_dispatch",
                "\"id\", \"nid\", \"pid\", \"tid\", \"agent_id\", \"kernel_id\", \"dispatch_id\", \"queue_id\", \"stream_id\", \"start\", \"end\", \"private_segment_size\", \"group_segment_size\", \"workgroup_size_x\", \"workgroup_size_y\", \"workgroup_size_z\", \"grid_size_x\", \"grid_size_y\", \"grid_size_z\", \"region_name_id\", \"event_id\"",
                &[&id, &self.nid, &self.pid, &thread, &node_id, &kernel, &id, &queue, &0, &signed(row.start), &signed(row.end), &0, &dispatch.lds, &x, &y, &z, &gx, &gy, &gz, &1, &id],
            )?;
        }
        Ok(())
    }
}
