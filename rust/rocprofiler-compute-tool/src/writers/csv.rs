//! The counters as CSV; for tests.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CountersWriter, WriterError, file_name, make_folder};
use crate::capture::{Dispatch, Value};
use crate::plan::Plan;

/// Writes `<pid>_native_counter_collection.csv`, a line for each value.
pub struct CsvCountersWriter {
    plan: Arc<Plan>,
    path: PathBuf,
    out: csv::Writer<File>,
}

impl CsvCountersWriter {
    /// Makes the file with its header.
    ///
    /// # Errors
    /// If it cannot be made, or is there already.
    pub fn create(folder: &Path, pid: u32, plan: Arc<Plan>) -> Result<Self, WriterError> {
        make_folder(folder)?;
        let path = folder.join(file_name(pid, 1, "csv"));
        let error = |source: std::io::Error| WriterError::Csv {
            path: path.clone(),
            source: source.into(),
        };
        let mut out = csv::Writer::from_writer(File::create_new(&path).map_err(error)?);
        let header = [
            "dispatch_id",
            "gpu_id",
            "kernel_id",
            "lds_per_workgroup",
            "counter_id",
            "counter_name",
            "counter_value",
        ];
        out.write_record(header)
            .map_err(|source| WriterError::Csv {
                path: path.clone(),
                source,
            })?;
        Ok(Self { plan, path, out })
    }

    fn error(&self) -> impl Fn(csv::Error) -> WriterError {
        let path = self.path.clone();
        move |source| WriterError::Csv {
            path: path.clone(),
            source,
        }
    }
}

impl CountersWriter for CsvCountersWriter {
    fn path(&self) -> &Path {
        &self.path
    }

    fn dispatch(&mut self, dispatch: &Dispatch, values: &[Value]) -> Result<(), WriterError> {
        let agent = self.plan.agents.get(dispatch.agent as usize);
        let gpu = agent.map_or(0, |agent| agent.absolute_index);
        for value in values {
            let counter = self.plan.counters.get(value.counter as usize);
            let info = &counter.ok_or(WriterError::Unplanned(value.counter))?.info;
            let line = [
                &dispatch.dispatch_id.to_string(),
                &gpu.to_string(),
                &dispatch.kernel_id.to_string(),
                &dispatch.lds.to_string(),
                &info.handle.to_string(),
                &info.name,
                &format!("{:?}", value.value),
            ];
            self.out.write_record(line).map_err(self.error())?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        self.out
            .flush()
            .map_err(csv::Error::from)
            .map_err(self.error())
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriterError> {
        self.commit()
    }
}
