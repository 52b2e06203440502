"""The way it was done before: values through Python into the SDK's file, then the standard view to CSV.

usage: python_way.py SDK.db NATIVE.db OUTPUT.csv
"""
import csv
import sqlite3
import sys

sdk_path, native_path, output = sys.argv[1:4]
native = sqlite3.connect(native_path)
values = native.execute(
    "SELECT e.correlation_id, c.symbol, v.value FROM rocpd_pmc_event v"
    " JOIN rocpd_event e ON e.id = v.event_id AND e.guid = v.guid"
    " JOIN rocpd_info_pmc c ON c.id = v.pmc_id AND c.guid = v.guid"
).fetchall()
sdk = sqlite3.connect(sdk_path)
guid, suffix = (
    sdk.execute("SELECT value FROM rocpd_metadata WHERE tag = ?", (tag,)).fetchone()[0]
    for tag in ("guid", "uuid")
)
events = dict(sdk.execute("SELECT dispatch_id, event_id FROM rocpd_kernel_dispatch"))
counters = dict(sdk.execute("SELECT symbol, id FROM rocpd_info_pmc"))
sdk.executemany(
    f'INSERT INTO "rocpd_pmc_event{suffix}" (guid, event_id, pmc_id, value, extdata)'
    " VALUES (?, ?, ?, ?, '{}')",
    ((guid, events[d], counters[s], v) for d, s, v in values),
)
sdk.commit()
with open(output, "w", newline="") as handle:
    writer = csv.writer(handle)
    rows = sdk.execute(
        "SELECT agent_id, guid, stack_id, dispatch_id, grid_size, workgroup_size, lds_block_size,"
        ' scratch_size, vgpr_count, accum_vgpr_count, sgpr_count, kernel_name, start, "end",'
        " kernel_id, counter_name, value FROM counters_collection"
    )
    writer.writerow([column[0] for column in rows.description])
    writer.writerows(rows)
