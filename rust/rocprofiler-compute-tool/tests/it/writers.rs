//! The CSV writer beside the rocpd one.

use std::sync::Arc;

use rocprofiler_compute_tool::capture::{Dispatch, Value};
use rocprofiler_compute_tool::plan::{Agent, Counter, Plan};
use rocprofiler_compute_tool::sdk::CounterInfo;
use rocprofiler_compute_tool::writers::{CountersWriter, CsvCountersWriter, RocpdCountersWriter};
use rocprofiler_sdk_sys::{ROCPROFILER_AGENT_TYPE_GPU, rocprofiler_agent_id_t};

fn plan() -> Arc<Plan> {
    let agent = Agent {
        id: rocprofiler_agent_id_t { handle: 77 },
        kind: ROCPROFILER_AGENT_TYPE_GPU,
        absolute_index: 4,
        logical_index: 4,
        type_index: 0,
        device: 29857,
        name: "gfx942".to_owned(),
        model: String::new(),
        vendor: "AMD".to_owned(),
        product: String::new(),
        configs: Vec::new(),
    };
    let counter = |handle, name: &str| Counter {
        agent: 0,
        info: CounterInfo {
            handle,
            name: name.to_owned(),
            description: "of \"waves\", and more".to_owned(),
            block: "SQ".to_owned(),
            expression: String::new(),
            is_constant: false,
            is_derived: true,
        },
    };
    Arc::new(Plan::of(
        vec![agent],
        vec![counter(11, "A"), counter(12, "B,C")],
    ))
}

fn fill(mut writer: Box<dyn CountersWriter>) {
    let dispatch = Dispatch {
        dispatch_id: 9,
        kernel_id: 3,
        agent: 0,
        lds: 64,
    };
    writer
        .dispatch(
            &dispatch,
            &[
                Value {
                    counter: 1,
                    value: 2.0,
                },
                Value {
                    counter: 0,
                    value: 0.5,
                },
            ],
        )
        .unwrap();
    writer.commit().unwrap();
    writer.finish().unwrap();
}

#[test]
fn the_csv_writer_writes_a_line_for_each_value() {
    let folder = tempfile::tempdir().unwrap();
    fill(Box::new(
        CsvCountersWriter::create(folder.path(), 123, plan()).unwrap(),
    ));
    let text =
        std::fs::read_to_string(folder.path().join("123_native_counter_collection.csv")).unwrap();
    assert_eq!(
        text,
        "dispatch_id,gpu_id,kernel_id,lds_per_workgroup,counter_id,counter_name,counter_value\n\
         9,4,3,64,12,\"B,C\",2.0\n\
         9,4,3,64,11,A,0.5\n"
    );
    assert!(
        CsvCountersWriter::create(folder.path(), 123, plan()).is_err(),
        "nothing is overwritten"
    );
}

#[test]
fn the_rocpd_writer_takes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let guid = rocpd::Guid::new();
    let writer = RocpdCountersWriter::create(folder.path(), &guid, &plan(), 1).unwrap();
    let path = writer.path().to_owned();
    fill(Box::new(writer));
    let connection = rocpd::rusqlite::Connection::open(path).unwrap();
    let values: Vec<(String, f64, i64)> = connection
        .prepare(
            "SELECT \"symbol\", \"value\", \"correlation_id\" FROM \"rocpd_pmc_event\" AS \"v\"
             JOIN \"rocpd_info_pmc\" AS \"p\" ON \"p\".\"id\" = \"v\".\"pmc_id\"
             JOIN \"rocpd_event\" AS \"e\" ON \"e\".\"id\" = \"v\".\"event_id\" ORDER BY \"v\".\"id\"",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(
        values,
        [("B,C".to_owned(), 2.0, 9), ("A".to_owned(), 0.5, 9)]
    );
}
